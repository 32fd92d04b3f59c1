;; A query uses definitions of the file.
(def k 10)
(defquery q [x] (* k x))
(:result (first (doquery :importance q [2]))) ;; expect: 20
