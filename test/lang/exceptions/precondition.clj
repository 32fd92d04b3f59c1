;; A precondition that fails.
(defn half [x] {:pre [(even? x)]} (/ x 2))
(half 4) ;; expect: 2
(half 3) ;; expect-error: R016
