;; half-student-t: densities as R has them.
(format "%.4f" (observe* (half-student-t 3 2) 1.5)) ;; expect: "-1.3446"
