;; inc and dec keep the type.
;; Same in Clojure.
(inc 1) ;; expect: 2
(dec 1) ;; expect: 0
(inc 1.5) ;; expect: 2.5
(dec 1/2) ;; expect: -1/2
