;; Distances between distributions.
(format "%.4f" (KL {:a 0.5 :b 0.5} {:a 0.25 :b 0.75})) ;; expect: "0.1438"
(format "%.4f" (L2 {:a 1.0} {:a 0.5 :b 0.5})) ;; expect: "0.7071"
