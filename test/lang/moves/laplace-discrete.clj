;; A draw that is not continuous, by its place.
(defquery q []
  (let [x (sample (normal 0 1))
        n (sample (poisson 3))] ;; expect-error: I006
    (observe (normal (+ x n) 1) 2)
    x))
(first (doquery :laplace q []))
