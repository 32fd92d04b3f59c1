;; when and cond with effects.
(defquery q [] (when (sample (flip 1)) (observe (flip 0.5) true) :x))
(:result (first (doquery :importance q []))) ;; expect: :x
(defquery r [] (cond (sample (flip 0)) 1 (sample (flip 1)) (sample (dirac 2)) :else 3))
(:result (first (doquery :importance r []))) ;; expect: 2
