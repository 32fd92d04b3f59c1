;; The first draw is made by the engine: the message still points at it.
(defquery q []
  (let [m (sample (half-flat))] ;; expect-error: D003
    (observe (normal m 1) 2)
    m))
(first (doquery :smc q [] :number-of-particles 10))
