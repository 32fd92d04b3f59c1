;; In a query map is eager, so observes inside it count even if its value is not used.
(defquery q [xs] (map (fn [x] (observe (flip 0.5) x)) xs) :done)
(format "%.6f" (:log-weight (first (doquery :importance q [[true true]])))) ;; expect: "-1.386294"
