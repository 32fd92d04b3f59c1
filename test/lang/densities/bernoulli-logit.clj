;; bernoulli-logit: densities as R has them.
(format "%.4f" (observe* (bernoulli-logit 0.7) 1)) ;; expect: "-0.4032"
(format "%.4f" (observe* (bernoulli-logit 0.7) 0)) ;; expect: "-1.1032"
(format "%.4f" (observe* (bernoulli-logit -800) 1)) ;; expect: "-800.0000"
