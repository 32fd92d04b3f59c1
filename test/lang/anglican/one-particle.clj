;; smc without a number of particles has one, as in Anglican: each draw is an importance sample with its own weight.
(defquery q [] (let [x (sample (flip 0.5))] (observe (flip (if x 0.8 0.2)) true) x))
(def draws (doall (take 200 (doquery :smc q []))))
(= (set (map (fn [s] [(:result s) (/ (Math/round (* 1000 (Math/exp (:log-weight s)))) 1000.0)]) draws))
   #{[true 0.8] [false 0.2]}) ;; expect: true
(count (distinct (map :log-weight (take 100 (doquery :smc q [] :number-of-particles 100))))) ;; expect: 1
