;; A precondition that fails.
(defn half [x]
  {:pre [(even? x)]} ;; expect-error: R016
  (/ x 2))
(half 4) ;; expect: 2
(half 3)
