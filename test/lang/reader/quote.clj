;; Quoted data is not evaluated.
;; Same in Clojure.
'(+ 1 2) ;; expect: (+ 1 2)
(quote (a b)) ;; expect: (a b)
'[a b] ;; expect: [a b]
'{a b} ;; expect: {a b}
''x ;; expect: (quote x)
(first '(+ 1 2)) ;; expect: +
