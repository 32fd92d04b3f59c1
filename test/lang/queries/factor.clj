;; factor and score add to the log-weight.
(defquery q [] (factor -1.5) (score -0.5) :done)
(def state (first (doquery :importance q [])))
(:log-weight state) ;; expect: -2.0
(:result state) ;; expect: :done
