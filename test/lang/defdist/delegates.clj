;; A distribution made of another one.
(defdist sum-of-two [d] (sample* [this] (+ (sample* d) (sample* d))) (observe* [this v] 0.0))
(sample* (sum-of-two (dirac 4))) ;; expect: 8
