;; sample at top level has no engine to answer it.
(sample (flip 0.5)) ;; expect-error: R014
