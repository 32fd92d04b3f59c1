(* 2 3M) ;; expect-error: S005
