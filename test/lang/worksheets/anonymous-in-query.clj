;; #() in queries.
(defquery q [xs] (reduce #(+ %1 (sample (dirac %2))) 0 (map #(* 2 %) xs)))
(:result (first (doquery :importance q [[1 2 3]]))) ;; expect: 12
