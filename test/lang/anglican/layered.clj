;; lais: importance samples around the states of chains.
(defquery line [y] (let [m (sample (normal 0 2))] (observe (normal m 1) y) (predict :m m) m))
(def states (doall (take 20000 (doquery :lais line [4]))))
(< (Math/abs (- (empirical-mean (collect-by :result states)) 3.2)) 0.05) ;; expect: true
(< (Math/abs (- (log-marginal states) -3.3237)) 0.05) ;; expect: true
(defquery mixed []
  (let [k (sample (poisson 3)) p (sample (beta 2 2))]
    (observe (binomial 10 p) k)
    (observe (normal (* k p) 0.5) 2)
    k))
(def by-lais (empirical-mean (collect-by :result (take 20000 (doquery :lais mixed [])))))
(def by-prior (empirical-mean (collect-by :result (take 100000 (doquery :importance mixed [])))))
(< (Math/abs (- by-lais by-prior)) 0.1) ;; expect: true
