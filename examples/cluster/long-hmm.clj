;; SPDX-License-Identifier: Apache-2.0
;; A hidden Markov model with three states and 200 observations, of which only the last state is wanted: most of the
;; time goes into the sweeps, so it shows what several processes are worth.
(def observations
  (map (fn [t] (* 1.5 (Math/sin (* 0.7 t)))) (range 200)))

(defquery long-hmm
  (let [trans [(discrete [0.1 0.5 0.4])
               (discrete [0.2 0.2 0.6])
               (discrete [0.15 0.15 0.7])]
        emission [(normal -1 1) (normal 1 1) (normal 0 1)]]
    (predict :last
      (reduce (fn [state y]
                (let [next (sample (get trans state))]
                  (observe (get emission next) y)
                  next))
              (sample (discrete [1 1 1]))
              observations))))
