;; log-beta-fn keeps its digits when an argument is large.
(log-beta-fn 1.0 1e15) ;; expect: -34.538776394910684
(log-beta-fn 1e15 1) ;; expect: -34.538776394910684
(log-beta-fn 1 1) ;; expect: 0.0
