;; nil is not a number.
(* 2 nil) ;; expect-error: R001
