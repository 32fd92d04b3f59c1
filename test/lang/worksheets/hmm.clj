;; The paper's HMM program on two observations.
(defquery hmm
  [observations init-dist trans-dists obs-dists]
  (predict
    :states
    (reduce
      (fn [states obs]
        (let [state (sample (get trans-dists
                                 (peek states)))]
          (observe (get obs-dists state) obs)
          (conj states state)))
      [(sample init-dist)]
      observations)))
(def state (first (doquery :smc hmm [[0.9 0.8] (discrete [1 1]) [(discrete [1 0]) (discrete [0 1])] [(normal 0 1) (normal 1 1)]] :number-of-particles 10)))
(count (:states (get-predicts state))) ;; expect: 3
(apply = (:states (get-predicts state))) ;; expect: true
