;; +' and *' promote to a double instead of failing.
(+' 1 2) ;; expect: 3
(+' 9223372036854775807 1) ;; expect: 9.223372036854776E18
(*' 4294967296 4294967296) ;; expect: 1.8446744073709552E19
(*' 2 3) ;; expect: 6
