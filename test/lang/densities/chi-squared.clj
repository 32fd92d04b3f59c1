;; chi-squared: statistics of the reference's tests.
(format "%.4f" (observe* (chi-squared 3.5) 1)) ;; expect: "-1.6286"
(format "%.4f" (observe* (chi-squared 3.5) 5.31)) ;; expect: "-2.5314"
(format "%.4f" (observe* (chi-squared 5.5) 5.31)) ;; expect: "-2.1146"
