;; Counts given beforehand.
(format "%.4f" (observe* (produce (CRP 1 {0 3 1 1})) 0)) ;; expect: "-0.5108"
(format "%.4f" (observe* (produce (CRP 1 {0 3 1 1})) 2)) ;; expect: "-1.6094"
