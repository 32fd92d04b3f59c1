;; A colon alone.
(list : 1) ;; expect-error: S006
