;; bbvb: importance samples from proposals that are learnt; get-variational says what they are.
(defquery line [y] (let [m (sample :m (normal 0 2))] (observe (normal m 1) y) (predict :m m) m))
(def states (doall (take 4000 (doquery :bbvb line [4]))))
;; posterior: normal with mean 3.2 and standard deviation 0.894
(def q (get (get-variational (last states)) [:m 0]))
(:distribution q) ;; expect: :normal
(< (Math/abs (- (:mean q) 3.2)) 0.15) ;; expect: true
(< (Math/abs (- (:sd q) 0.894)) 0.15) ;; expect: true
(defn mean-of [states] (empirical-mean (collect-by :result states)))
(< (Math/abs (- (mean-of states) 3.2)) 0.1) ;; expect: true
;; evidence: normal density of 4 with variance 5
(< (Math/abs (- (log-marginal states) -3.3237)) 0.05) ;; expect: true
;; positive and discrete draws, a conjugate gamma (shape 2 + 12, rate 1 + 3: mean 3.5)
(defquery counts []
  (let [rate (sample (gamma 2 1)) flag (sample (flip 0.5))]
    (observe (poisson rate) 5) (observe (poisson rate) 3) (observe (poisson rate) 4)
    (observe (flip (if flag 0.9 0.1)) true)
    [rate flag]))
(def found (doall (take 4000 (doquery :bbvb counts []))))
(< (Math/abs (- (empirical-mean (collect-by (comp first :result) found)) 3.5)) 0.15) ;; expect: true
(def flags (empirical-distribution (collect-by (comp second :result) found)))
(< (Math/abs (- (flags true) 0.9)) 0.03) ;; expect: true
(get-variational (first (doquery :importance counts []))) ;; expect: nil
