;; The paper's mixture program runs.
(defquery crp-mixture [observations alpha mu beta a b]
  (let [precision-prior (gamma a b)]
    (loop [observations observations
           state-proc (CRP alpha)
           obs-dists {}
           states []]
      (if (empty? observations)
        (do (predict :states states) (predict :num-clusters (count obs-dists)))
        (let [state (sample (produce state-proc))
              obs-dist (get obs-dists state (let [l (sample precision-prior) s (sqrt (/ (* beta l))) m (sample (normal mu s))] (normal m (sqrt (/ l)))))]
          (observe obs-dist (first observations))
          (recur (rest observations) (absorb state-proc state) (assoc obs-dists state obs-dist) (conj states state)))))))
(def state (first (doquery :smc crp-mixture [[1.0 1.1 -10] 1.72 0 100 1 10] :number-of-particles 10)))
(count (:states (get-predicts state))) ;; expect: 3
(= (count (distinct (:states (get-predicts state)))) (:num-clusters (get-predicts state))) ;; expect: true
