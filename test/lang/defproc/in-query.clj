;; Carried through a query.
(defproc counting [n] (produce [this] (dirac n)) (absorb [this x] (counting (inc n))))
(defquery q [] (loop [p (counting 0) xs []] (if (< (count xs) 3) (let [x (sample (produce p))] (recur (absorb p x) (conj xs x))) xs)))
(:result (first (doquery :importance q []))) ;; expect: [0 1 2]
