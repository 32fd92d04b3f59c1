;; The gaussian of the reference's tests, checked for its shape.
(defquery gaussian [observations sigma mu0 sigma0]
  (let [mu (sample (normal mu0 sigma0))]
    (doseq [y observations] (observe (normal mu sigma) y))
    (predict :mu mu)))
(def samples (take 100 (doquery :smc gaussian [[9 8] (sqrt 2) 1 (sqrt 5)] :number-of-particles 100)))
(count samples) ;; expect: 100
(every? #(< -20 (:mu (get-predicts %)) 30) samples) ;; expect: true
