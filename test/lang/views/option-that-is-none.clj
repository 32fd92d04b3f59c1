;; Options are keywords.
(list-plot [1] 3 4) ;; expect-error: R001
