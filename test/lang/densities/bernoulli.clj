;; bernoulli scores the integers 0 and 1 only.
(format "%.4f" (observe* (bernoulli 0.25) 1)) ;; expect: "-1.3863"
(format "%.4f" (observe* (bernoulli 0.25) 0)) ;; expect: "-0.2877"
(observe* (bernoulli 0.5) 1.0) ;; expect: ##-Inf
(observe* (bernoulli 0.5) true) ;; expect: ##-Inf
(observe* (bernoulli 0.5) 2) ;; expect: ##-Inf
