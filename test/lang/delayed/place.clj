;; An error of a draw that is not put off has its place.
(defquery inner [m] (let [x (sample (normal m 1))] (observe (normal x 1) 1) x))
(defquery q []
  (let [m (sample (normal 0 1))
        y (sample ((conditional inner :smc :number-of-particles 0) m))] ;; expect-error: I002
    y))
(first (doquery :smc q [] :delayed true))
