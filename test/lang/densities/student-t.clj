;; student-t: statistics of the reference's tests.
(format "%.4f" (observe* (student-t 3.1) 1)) ;; expect: "-1.5715"
(format "%.4f" (observe* (student-t 3.1) 2)) ;; expect: "-2.6971"
(format "%.4f" (observe* (student-t 3.1) 10)) ;; expect: "-8.1821"
