;; A docstring before the parameters.
(defquery q "What it is for." [x] (inc x))
(:result (first (doquery :importance q [1]))) ;; expect: 2
