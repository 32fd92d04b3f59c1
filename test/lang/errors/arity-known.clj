;; A library function with the wrong number of arguments is found before the run.
(first [1] [2]) ;; expect-error: F005
