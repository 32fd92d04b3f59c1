;; Characters.
;; Same in Clojure.
(char? \a) ;; expect: true
(int \z) ;; expect: 122
(char 65) ;; expect: \A
