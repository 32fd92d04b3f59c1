;; Big integers as parameters, observed values and indices.
(defquery q [n]
  (let [x (sample (uniform-discrete 0N 3N))]
    (observe (poisson 2) 1N)
    (observe (flip 0.5) 1N)
    (observe (discrete [1 1]) 1N)
    (observe (categorical [[1 1] [2 1]]) 2N)
    (observe (normal 0 1N) 0N)
    (predict :x x)
    (nth [:a :b :c] (* n 1N))))
(def s (first (doquery :importance q [2])))
(:result s) ;; expect: :c
(< -4.5 (:log-weight s) -4.3) ;; expect: true
(observe* (poisson 2) 1) ;; expect: -1.3068528194400546
(observe* (poisson 2) 1N) ;; expect: -1.3068528194400546
