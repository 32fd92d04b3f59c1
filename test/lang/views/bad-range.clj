;; A range has two ends.
(list-plot [1] :plot-range [1 2]) ;; expect-error: R001
