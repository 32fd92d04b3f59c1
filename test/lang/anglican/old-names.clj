;; Before sample* and observe* there were sample and observe, outside queries too.
(sample (dirac 3)) ;; expect: 3
(observe (flip 0.5) true) ;; expect: -0.6931471805599453
(defn score [xs] (reduce + (map (fn [x] (observe (flip 0.25) x)) xs)))
(score [true true]) ;; expect: -2.772588722239781
(defdist two-coins [p] [] (sample* [this] (sample* (flip p))) (observe* [this x] (observe (flip p) x)))
(observe (two-coins 0.5) true) ;; expect: -0.6931471805599453
(defquery q [] (let [x (sample (two-coins 0.5))] (observe (flip (if x 1 0)) true) x))
(:result (first (doquery :smc q []))) ;; expect: true
