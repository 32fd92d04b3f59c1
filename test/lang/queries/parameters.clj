;; A vector of parameters takes the value apart.
(defquery q [a b & more] [a b more])
(:result (first (doquery :importance q [1 2 3 4]))) ;; expect: [1 2 (3 4)]
(:result (first (doquery :importance q [1]))) ;; expect: [1 nil nil]
