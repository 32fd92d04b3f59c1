;; defn without a parameter vector.
(defn f) ;; expect-error: F008
