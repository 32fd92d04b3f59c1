;; The paper's listing of the hidden Markov model uses a name that is defined under another one.
(declare get-transition)
(defn get-state-observation-mean [s] (nth [-1 1 0] s))
(get-state-obs-mean 1) ;; expect-error: F001
