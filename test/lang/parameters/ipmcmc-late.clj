;; Plain nodes draw their parameters from the prior before anything else.
(defquery q []
  (let [x (sample (normal 0 1))
        a (sample :a (normal 0 1))] ;; expect-error: I006
    (observe (normal (+ x a) 1) 2)
    a))
(first (doquery :ipmcmc q [] :number-of-nodes 4 :number-of-particles 5 :parameters [:a]))
