;; Lists.
;; Same in Clojure.
(list 1 2 3) ;; expect: (1 2 3)
(list) ;; expect: ()
(cons 1 '(2 3)) ;; expect: (1 2 3)
(cons 1 nil) ;; expect: (1)
(cons 1 [2]) ;; expect: (1 2)
(conj '(2 3) 1) ;; expect: (1 2 3)
(first '(1 2)) ;; expect: 1
(rest '(1)) ;; expect: ()
(next '(1)) ;; expect: nil
(peek '(1 2)) ;; expect: 1
(pop '(1 2)) ;; expect: (2)
(count '(1 2 3)) ;; expect: 3
(nth '(1 2 3) 2) ;; expect: 3
(list? '(1)) ;; expect: true
(list? [1]) ;; expect: false
(seq? '(1)) ;; expect: true
(second '(1 2)) ;; expect: 2
(ffirst '((1) 2)) ;; expect: 1
