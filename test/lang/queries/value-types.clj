;; Query values of several types.
(defquery q [x] x)
(:result (first (doquery :importance q ["s"]))) ;; expect: "s"
(:result (first (doquery :importance q [(normal 0 1)]))) ;; expect: (normal 0 1)
(:result (first (doquery :importance q [[1 [2]]]))) ;; expect: [1 [2]]
