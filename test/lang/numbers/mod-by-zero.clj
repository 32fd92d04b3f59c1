;; mod by zero.
(mod 5 0) ;; expect-error: R006
