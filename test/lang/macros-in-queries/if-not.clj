;; if-not with samples in both branches.
(defquery q [] (if-not (sample (flip 0)) (sample (dirac :a)) (sample (dirac :b))))
(:result (first (doquery :importance q []))) ;; expect: :a
