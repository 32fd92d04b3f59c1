;; ordered-logistic and ordered-probit: the mass of a logistic or normal variable between two cuts.
(format "%.8f" (exp (observe* (ordered-logistic 0.4 [-1 0.2 3]) 0))) ;; expect: "0.19781611"
(format "%.8f" (exp (observe* (ordered-logistic 0.4 [-1 0.2 3]) 1))) ;; expect: "0.25234989"
(format "%.8f" (exp (observe* (ordered-logistic 0.4 [-1 0.2 3]) 3))) ;; expect: "0.06913842"
(format "%.8f" (exp (observe* (ordered-probit 0.4 [-1 0.2 3]) 1))) ;; expect: "0.33998363"
(format "%.8f" (exp (observe* (ordered-probit 0.4 [-1 0.2 3]) 2))) ;; expect: "0.57459852"
(observe* (ordered-logistic 0.4 [-1 0.2 3]) 4) ;; expect: ##-Inf
(ordered-probit 0 [2 1]) ;; expect-error: D001
