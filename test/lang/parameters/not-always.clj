;; A parameter that some executions do not draw.
(defquery q []
  (let [z (sample (flip 0.95))
        _ (observe (flip 0.5) true)
        a (if z (sample :a (normal 0 1)) 0)] ;; expect-error: I006
    (observe (normal a 1) 2)
    a))
(dorun (take 200 (doquery :pgibbs q [] :number-of-particles 5 :parameters [:a])))
