;; A histogram takes a sequence.
(histogram 3) ;; expect-error: R001
