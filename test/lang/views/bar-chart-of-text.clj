;; Bars have heights.
(bar-chart [:a] ["x"]) ;; expect-error: R001
