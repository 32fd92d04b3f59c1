;; ... and refused by engines that run parts of executions again.
(defquery after-observe
  (observe (flip 0.5) true)
  (let [hidden (sample* (normal 0 1))] ;; expect-error: R014
    (sample (flip 0.5))
    hidden))
(first (doquery :lmh after-observe nil))
