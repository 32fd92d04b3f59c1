;; An engine that draws from the prior refuses an improper one, at its place.
(defquery q []
  (let [s (sample (half-normal 1))
        m (sample (half-flat))] ;; expect-error: D003
    (observe (normal m s) 2)
    m))
(first (doquery :smc q [] :number-of-particles 10))
