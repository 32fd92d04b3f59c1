;; wishart: statistics of the reference's tests.
(format "%.4f" (observe* (wishart 3.5 [[0.7 0] [0 0.07]]) [[1 0] [0 1]])) ;; expect: "-5.3950"
(format "%.4f" (observe* (wishart 7.5 [[3 2] [2 7]]) [[3.1 -0.3] [-0.3 11]])) ;; expect: "-12.5273"
