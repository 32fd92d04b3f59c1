;; The smallest integer has no positive counterpart.
(- -9223372036854775808) ;; expect-error: R005
