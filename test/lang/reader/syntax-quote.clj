;; Quasi-quotation of data.
;; Same in Clojure.
`(1 ~(+ 1 1) ~@[3 4]) ;; expect: (1 2 3 4)
`[~@(map inc [1 2])] ;; expect: [2 3]
(let [x 5] `{:k ~x}) ;; expect: {:k 5}
`(~'a ~'b) ;; expect: (a b)
(first `(~'x y#)) ;; expect: x
