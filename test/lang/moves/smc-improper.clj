;; An improper prior has no draws.
(defquery q []
  (let [x (sample (flat))] ;; expect-error: D003
    (observe (normal x 1) 2)
    x))
(first (doquery :smc q []))
