;; Single-site engines start from the prior.
(defquery q []
  (let [m (sample (half-flat))] ;; expect-error: D003
    (observe (normal m 1) 2)
    m))
(first (doquery :lmh q []))
