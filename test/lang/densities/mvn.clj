;; mvn: statistics of the reference's tests.
(format "%.4f" (observe* (mvn [0 0 0] [[2 0 0] [0 1 0] [0 0 3]]) [3 4 5])) ;; expect: "-18.0694"
(format "%.4f" (observe* (mvn [0 0 0] [[2 0 0] [0 1 0] [0 0 3]]) [0 0 0])) ;; expect: "-3.6527"
