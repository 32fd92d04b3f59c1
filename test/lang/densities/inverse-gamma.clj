;; inverse-gamma with shape and scale.
(format "%.4f" (observe* (inverse-gamma 3 2) 0.5)) ;; expect: "0.1589"
