;; A lazy infinite sequence may be passed in and cut.
(defquery q [xs] (take 3 xs))
(:result (first (doquery :importance q [(range)]))) ;; expect: (0 1 2)
