;; Observed values say the same as 1 and true, 3.0 and 3: data files know no better.
(observe* (flip 0.25) true) ;; expect: -1.3862943611198906
(= (observe* (flip 0.25) true) (observe* (flip 0.25) 1) (observe* (flip 0.25) 1.0)) ;; expect: true
(= (observe* (flip 0.25) false) (observe* (flip 0.25) 0) (observe* (flip 0.25) 0.0)) ;; expect: true
(= (observe* (bernoulli 0.25) 1) (observe* (bernoulli 0.25) true) (observe* (bernoulli 0.25) 1.0)) ;; expect: true
(= (observe* (bernoulli 0.25) 0) (observe* (bernoulli 0.25) false) (observe* (bernoulli 0.25) 0.0)) ;; expect: true
(map (fn [d] (= (observe* d 3) (observe* d 3.0))) [(poisson 2) (binomial 5 0.5) (geometric 0.3) (uniform-discrete 0 5) (discrete [1 2 3 4]) (negative-binomial 2 0.5)]) ;; expect: (true true true true true true)
(map (fn [x] (observe* (flip 0.25) x)) [2 nil "true" 0.5]) ;; expect: (##-Inf ##-Inf ##-Inf ##-Inf)
(map (fn [x] (observe* (poisson 2) x)) [2.5 true nil]) ;; expect: (##-Inf ##-Inf ##-Inf)
(observe* (uniform-discrete 0 5) true) ;; expect: ##-Inf
