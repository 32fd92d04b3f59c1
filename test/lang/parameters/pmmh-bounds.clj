;; A walk between bounds that move would not reach all of the distribution's support.
(defquery q []
  (let [a (sample (uniform-continuous 1 2))
        b (sample (uniform-continuous 0 a)) ;; expect-error: I006
        x (sample (normal b 1))]
    (observe (normal x 1) 2)
    b))
(dorun (take 50 (doquery :pmmh q [] :number-of-particles 5)))
