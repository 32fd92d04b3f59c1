;; Shorter vectors come first.
;; Same in Clojure.
(compare [1 2] [1 2 3]) ;; expect: -1
(sort [[2 1] [1 2] [1 1]]) ;; expect: ([1 1] [1 2] [2 1])
(= [1 [2]] [1 [2]]) ;; expect: true
