;; An estimated likelihood would be another one when a particle is run again.
(defquery inner [] (let [a (sample (flip 0.5))] (observe (flip (if a 0.75 0.25)) true) a))
(defquery q []
  (let [x (sample (flip 0.5))]
    (observe ((conditional inner :smc :number-of-particles 2)) x)
    x))
(dorun (take 3 (doquery :smc q [] :move 1))) ;; expect-error: I002
