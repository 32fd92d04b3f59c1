;; enumerate is exact or refuses: the probability that an observed conditional gives is an estimate unless it is enumerated.
(defquery inner [] (let [a (sample (flip 0.5))] (observe (flip (if a 0.75 0.25)) true) a))
(defquery estimated [] (observe ((conditional inner :smc :number-of-particles 2)) true)) ;; expect-error: I006
(dorun (doquery :enumerate estimated []))
(defquery exact [] (observe ((conditional inner :enumerate)) true))
(:log-weight (first (doquery :enumerate exact []))) ;; expect: -0.2876820724517809
