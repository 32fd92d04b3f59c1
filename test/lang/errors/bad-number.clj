;; Starts like a number.
12abc ;; expect-error: S005
