;; student-t-loc-scale: statistics of the reference's tests.
(format "%.4f" (observe* (student-t-loc-scale 3.1 10 2) 1)) ;; expect: "-5.8308"
(format "%.4f" (observe* (student-t-loc-scale 3.1 10 2) 2)) ;; expect: "-5.4190"
(format "%.4f" (observe* (student-t-loc-scale 3.1 10 2) 10)) ;; expect: "-1.6915"
