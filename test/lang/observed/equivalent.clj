;; Observed values say the same as 1 and true, 3.0 and 3: data files know no better.
(observe* (flip 0.25) true) ;; expect: -1.3862943611198906
(= (observe* (flip 0.25) true) (observe* (flip 0.25) 1) (observe* (flip 0.25) 1.0)) ;; expect: true
(= (observe* (flip 0.25) false) (observe* (flip 0.25) 0) (observe* (flip 0.25) 0.0)) ;; expect: true
(= (observe* (bernoulli 0.25) 1) (observe* (bernoulli 0.25) true) (observe* (bernoulli 0.25) 1.0)) ;; expect: true
(= (observe* (bernoulli 0.25) 0) (observe* (bernoulli 0.25) false) (observe* (bernoulli 0.25) 0.0)) ;; expect: true
;; One rule for everything that gives integers: 3.0 is the value 3, and 2.5 is outside the support.
(def integer-laws
  [(poisson 2) (binomial 5 0.5) (geometric 0.3) (negative-binomial 2 0.5) (beta-binomial 5 1.0 2.0)
   (uniform-discrete 0 5) (discrete [1 2 3 4]) (folded-normal-discrete 1 2)
   (categorical {1 0.25 3 0.75}) (categorical [[1 0.5] [3 0.5]]) (categorical-crp [1 2 3] 0.5) (categorical-crp {3 2} 0.5)
   (categorical-dp {3 1} (poisson 2) 0.5) (categorical-dp {1 1} (poisson 2) 0.5) (dirac 3)
   (produce (CRP 1.0 [1 1 1])) (produce (dirichlet-discrete [1 1 1 1])) (produce (DP 1.0 (poisson 2)))])
(remove (fn [d] (and (> (observe* d 3) -100) (= (observe* d 3) (observe* d 3.0)) (= (observe* d 2.5) (log 0)))) integer-laws) ;; expect: ()
(map (fn [d] (= (observe* d [1 2]) (observe* d [1.0 2.0]))) [(multinomial 3 [0.2 0.8]) (dirichlet-multinomial 3 [1.0 1.0])]) ;; expect: (true true)
(= (observe* (categorical {1.0 0.25 2.5 0.75}) 1) (observe* (categorical {1.0 0.25 2.5 0.75}) 1.0) (log 0.25)) ;; expect: true
;; A process absorbs what was observed as the value that it is.
(def processes [(CRP 1.0) (CRP 1.0 {0 1 1 2}) (dirichlet-discrete [1 1 1 1]) (DP 1.0 (poisson 2)) (DP 1.0 (flip 0.5))])
(remove (fn [p] (= (absorb (absorb p 0) 1) (absorb (absorb p 0.0) 1.0))) processes) ;; expect: ()
(= (absorb (DP 1.0 (flip 0.5)) true) (absorb (DP 1.0 (flip 0.5)) 1)) ;; expect: true
(absorb (DP 1.0 (normal 0 1)) 1.0) ;; expect: (DP 1.0 (normal 0 1) {1.0 1})
(map (fn [x] (observe* (poisson 2) x)) [2.5 true nil]) ;; expect: (##-Inf ##-Inf ##-Inf)
(observe* (uniform-discrete 0 5) true) ;; expect: ##-Inf
