;; The predictive of a Chinese restaurant with counts.
(format "%.4f" (observe* (produce (CRP 0.1 {1 1 2 2 3 3})) 3)) ;; expect: "-0.7097"
(format "%.4f" (observe* (produce (CRP 0.1 {1 1 2 2 3 3})) 0)) ;; expect: "-4.1109"
(observe* (produce (CRP 1.72)) 0) ;; expect: 0.0
