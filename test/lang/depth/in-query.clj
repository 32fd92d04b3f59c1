;; Non-tail recursion with a sample at every level.
(defm heads [n] (if (zero? n) 0 (+ (sample (bernoulli 1)) (heads (dec n)))))
(defquery q [n] (heads n))
(:result (first (doquery :importance q [20000]))) ;; expect: 20000
