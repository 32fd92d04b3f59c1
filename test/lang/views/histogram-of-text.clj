;; A histogram is one of numbers.
(histogram [1 :a]) ;; expect-error: R001
