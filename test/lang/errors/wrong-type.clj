;; Arithmetic with something that is no number.
(+ 1 "2") ;; expect-error: R001
