;; A query without parameters.
(defquery q (+ 1 1))
(:result (first (doquery :importance q nil))) ;; expect: 2
