;; Accepted anywhere in a body.
(defn twice [x] (* 2 x))
(defquery q [x] (declare :primitive twice) (let [y 1] (declare :primitive twice) (+ y (twice x))))
(:result (first (doquery :importance q [4]))) ;; expect: 9
