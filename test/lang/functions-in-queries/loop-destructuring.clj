;; Destructuring in loop, as programs over observations do.
(defquery q [points] (loop [[[x y] & more] points n 0] (if x (do (observe (normal x 1) y) (recur more (inc n))) n)))
(def state (first (doquery :importance q [[[1 1] [2 2]]])))
(:result state) ;; expect: 2
(format "%.6f" (:log-weight state)) ;; expect: "-1.837877"
