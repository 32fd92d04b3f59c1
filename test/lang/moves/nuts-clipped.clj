;; Half of the draws lie on the smallest double: a point that moves along gradients would never meet.
(defquery q []
  (let [g (sample (gamma 0.001 1))]
    (observe (flip (if (> g 1e-300) 0.9 0.3)) true)
    (> g 1e-300)))
(def large (count (filter :result (take 20000 (doquery :nuts q [])))))
;; P = 0.9 p / (0.9 p + 0.3 (1 - p)) with p = 0.499
(< 14400 large 15560) ;; expect: true
