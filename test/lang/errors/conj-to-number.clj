;; Not a collection.
(conj 5 1) ;; expect-error: R001
