;; normal takes a standard deviation.
(format "%.4f" (observe* (normal 0 1) 0)) ;; expect: "-0.9189"
(format "%.4f" (observe* (normal 0 1) 1.5)) ;; expect: "-2.0439"
(format "%.4f" (observe* (normal 2 0.5) 1)) ;; expect: "-2.2258"
(format "%.4f" (observe* (normal -3 10) 4)) ;; expect: "-3.4665"
