;; Integers fail, doubles give infinity.
(/ 1.0 0) ;; expect: ##Inf
(/ 1 0) ;; expect-error: R006
