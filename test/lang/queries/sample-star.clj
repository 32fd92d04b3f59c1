;; sample* draws at once, at top level too; observe* is the log-probability.
(sample* (dirac 3)) ;; expect: 3
(sample* (flip 1)) ;; expect: true
(observe* (flip 0.5) true) ;; expect: -0.6931471805599453
(defquery q [] (sample* (dirac 4)))
(:result (first (doquery :importance q []))) ;; expect: 4
