;; A process carried through a loop.
(defquery q [n] (loop [i 0 p (CRP 1.0) tables []] (if (< i n) (let [t (sample (produce p))] (recur (inc i) (absorb p t) (conj tables t))) tables)))
(def tables (:result (first (doquery :importance q [20]))))
(count tables) ;; expect: 20
(first tables) ;; expect: 0
(= (sort (distinct tables)) (range (count (distinct tables)))) ;; expect: true
