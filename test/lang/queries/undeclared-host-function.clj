;; A host function needs no declaration.
(defn twice [x] (* 2 x))
(defquery q [x] (map twice [x (inc x)]))
(:result (first (doquery :importance q [1]))) ;; expect: (2 4)
