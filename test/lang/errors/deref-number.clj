;; Not a reference.
@5 ;; expect-error: R001
