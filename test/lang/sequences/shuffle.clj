;; A shuffle keeps the elements.
;; Same in Clojure.
(sort (shuffle [3 1 2])) ;; expect: (1 2 3)
(count (shuffle (range 10))) ;; expect: 10
