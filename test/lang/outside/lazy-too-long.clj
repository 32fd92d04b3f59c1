;; A random sequence is refused past what was worked out before the run: executions would differ there.
(def noise (repeatedly #(sample* (normal 0 1))))
(defquery q (sample (normal 0 1))
  (nth noise 70000)) ;; expect-error: R014
(first (doquery :importance q nil))
