;; Text to data.
;; Same in Clojure.
(read-string "[1 2 {:a b}]") ;; expect: [1 2 {:a b}]
(read-string "(+ 1 2)") ;; expect: (+ 1 2)
(eval (read-string "(+ 1 2)")) ;; expect: 3
(first (read-string "(a b)")) ;; expect: a
