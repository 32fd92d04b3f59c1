;; Bitwise operations.
;; Same in Clojure.
(bit-and 12 10) ;; expect: 8
(bit-or 12 10) ;; expect: 14
(bit-xor 12 10) ;; expect: 6
(bit-not 5) ;; expect: -6
(bit-shift-left 1 10) ;; expect: 1024
(bit-shift-right -8 1) ;; expect: -4
(bit-test 5 2) ;; expect: true
