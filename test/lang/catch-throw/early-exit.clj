;; Leaving a loop over observations early.
(defquery q [xs] (catch :stop (map (fn [x] (if (neg? x) (throw :stop :negative) (observe (normal x 1) x))) xs) :all))
(:result (first (doquery :importance q [[1 2 3]]))) ;; expect: :all
(:result (first (doquery :importance q [[1 -2 3]]))) ;; expect: :negative
