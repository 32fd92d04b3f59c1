;; -> and ->> with sample inside.
(defquery q [] [(-> (sample (dirac 1)) inc) (->> (sample (dirac [1 2])) (map inc) (reduce +)) (-> {:a (sample (dirac 5))} :a)])
(:result (first (doquery :importance q []))) ;; expect: [2 5 5]
