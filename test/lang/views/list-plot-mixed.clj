;; Numbers, and then a pair.
(list-plot [1 [2 3]]) ;; expect-error: R001
