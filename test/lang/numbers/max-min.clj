;; The larger and the smaller, with their type.
;; Same in Clojure.
(max 1 2 3) ;; expect: 3
(min 1 2 3) ;; expect: 1
(max 1 2.0) ;; expect: 2.0
(min 1 2.0) ;; expect: 1
(max 1/2 1/3) ;; expect: 1/2
(max 5) ;; expect: 5
