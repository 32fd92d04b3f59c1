;; Frequencies by weight.
(empirical-distribution [[:a 0.0] [:a 0.0]]) ;; expect: {:a 1.0}
(:a (empirical-distribution [[:a 0.0] [:b 0.0] [:a 0.0] [:b 0.0]])) ;; expect: 0.5
