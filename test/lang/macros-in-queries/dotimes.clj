;; dotimes with observe and predict inside.
(defquery q [] (dotimes [i 3] (observe (flip 0.5) true) (predict i (* i 10))))
(def state (first (doquery :importance q [])))
(:predicts state) ;; expect: [[0 0] [1 10] [2 20]]
(format "%.6f" (:log-weight state)) ;; expect: "-2.079442"
