;; lazy-seq and delay in a query.
(defquery q [] (let [d (delay (sample (dirac 4)))] [(force d) @d (first (lazy-seq [(sample (dirac 1))]))]))
(:result (first (doquery :importance q []))) ;; expect: [4 4 1]
