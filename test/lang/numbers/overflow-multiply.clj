;; A product that does not fit.
(* 4294967296 4294967296) ;; expect-error: R005
