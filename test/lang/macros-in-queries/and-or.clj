;; and, or: short circuit over samples and observes.
(defquery q [] [(and (sample (flip 1)) (sample (dirac 5))) (and (sample (flip 0)) (observe (flip 0.5) true)) (or (sample (flip 0)) (sample (dirac 6))) (or (sample (dirac 7)) (observe (flip 0.5) true)) (and) (or)])
(def state (first (doquery :importance q [])))
(:result state) ;; expect: [5 false 6 7 true nil]
(:log-weight state) ;; expect: 0.0
