;; The message points at the constructor, in a query too.
(defquery q [sd]
  (let [d (normal 0 sd)] ;; expect-error: D001
    (sample d)))
(:result (first (doquery :importance q [-1])))
