;; bernoulli scores 0 and 1, and what says the same.
(format "%.4f" (observe* (bernoulli 0.25) 1)) ;; expect: "-1.3863"
(format "%.4f" (observe* (bernoulli 0.25) 0)) ;; expect: "-0.2877"
(observe* (bernoulli 0.5) 1.0) ;; expect: -0.6931471805599453
(observe* (bernoulli 0.5) true) ;; expect: -0.6931471805599453
(observe* (bernoulli 0.5) 2) ;; expect: ##-Inf
