;; apply spreads its last argument.
;; Same in Clojure.
(apply + [1 2 3]) ;; expect: 6
(apply + 1 2 [3]) ;; expect: 6
(apply * []) ;; expect: 1
