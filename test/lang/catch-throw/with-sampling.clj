;; Draws and observes before the throw count.
(defquery q [] (catch :t (observe (flip 0.5) true) (throw :t (sample (dirac 3))) (observe (flip 0.5) true)))
(def state (first (doquery :importance q [])))
(:result state) ;; expect: 3
(format "%.6f" (:log-weight state)) ;; expect: "-0.693147"
