;; The natural order.
;; Same in Clojure.
(compare 1 2) ;; expect: -1
(compare 2 1) ;; expect: 1
(compare 1 1) ;; expect: 0
(compare "a" "b") ;; expect: -1
(compare :b :a) ;; expect: 1
(compare [1 2] [1 3]) ;; expect: -1
(compare [2] [1 3]) ;; expect: -1
(compare nil 1) ;; expect: -1
(compare false true) ;; expect: -1
(compare \a \b) ;; expect: -1
