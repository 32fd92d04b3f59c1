;; inc of the largest integer.
(inc 9223372036854775807) ;; expect-error: R005
