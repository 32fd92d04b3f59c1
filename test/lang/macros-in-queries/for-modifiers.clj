;; :when, :let and :while with sample inside.
(defquery q [] (for [x (range 6) :when (sample (dirac (odd? x))) :let [y (sample (dirac (* x x)))]] y))
(:result (first (doquery :importance q []))) ;; expect: (1 9 25)
