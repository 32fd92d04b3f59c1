;; Arithmetic with a non-numeric value.
(+ 1 "2") ;; expect-error: R001
