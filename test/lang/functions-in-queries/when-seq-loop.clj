;; The usual loop over a sequence.
(defquery q [xs] (loop [xs xs] (when (seq xs) (observe (flip 0.5) (first xs)) (recur (rest xs)))))
(format "%.6f" (:log-weight (first (doquery :importance q [[true false true]])))) ;; expect: "-2.079442"
