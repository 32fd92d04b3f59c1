;; Accepted, and needs nothing.
(defn twice [x] (* 2 x))
(with-primitive-procedures [twice]
  (defquery q [x] (twice x)))
(:result (first (doquery :importance q [4]))) ;; expect: 8
