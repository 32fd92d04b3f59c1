;; No weight at all.
(discrete [0 0]) ;; expect-error: D001
