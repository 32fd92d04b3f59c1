;; cond->, cond->>, as->, some->.
(defquery q [] [(cond-> 1 (sample (flip 1)) inc (sample (flip 0)) (* 100)) (cond->> [1 2] (sample (flip 1)) (map inc)) (as-> (sample (dirac 2)) x (* x x)) (some-> (sample (dirac {:a 1})) :a) (some-> (sample (dirac nil)) :a)])
(:result (first (doquery :importance q []))) ;; expect: [2 (2 3) 4 1 nil]
