;; 64-bit arithmetic fails instead of wrapping round.
(+ 9223372036854775806 1) ;; expect: 9223372036854775807
(+ 9223372036854775807 1) ;; expect-error: R005
