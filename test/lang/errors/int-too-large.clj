;; An int has 32 bits; long has 64.
(long 1e10) ;; expect: 10000000000
(int -2147483648) ;; expect: -2147483648
(int 2147483647.9) ;; expect: 2147483647
(int 1e10) ;; expect-error: R009
