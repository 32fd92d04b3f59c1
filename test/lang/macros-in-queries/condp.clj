;; condp and case with sampled keys.
(defquery q [] [(condp = (sample (dirac 2)) 1 :one 2 (sample (dirac :two)) :other) (case (sample (dirac :k)) :k (sample (dirac 1)) 2)])
(:result (first (doquery :importance q []))) ;; expect: [:two 1]
