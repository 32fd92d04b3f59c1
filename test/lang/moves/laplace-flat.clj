;; Only the sum of two draws is known: the density has a ridge and no mode.
(defquery q []
  (let [a (sample (flat)) ;; expect-error: I006
        b (sample (flat))]
    (observe (normal (+ a b) 1) 0)
    a))
(first (doquery :laplace q []))
