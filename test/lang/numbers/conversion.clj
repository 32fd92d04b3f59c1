;; Between types of number.
;; Same in Clojure.
(int 3.9) ;; expect: 3
(int -3.9) ;; expect: -3
(long 7/2) ;; expect: 3
(double 3) ;; expect: 3.0
(int \A) ;; expect: 65
(char 97) ;; expect: \a
(rationalize 0.5) ;; expect: 1/2
(float 1.5) ;; expect: 1.5
