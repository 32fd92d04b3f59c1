;; SPDX-License-Identifier: Apache-2.0
;; The hidden Markov model of the paper, in its new syntax, as printed. The paper prints no arguments: hmm-value holds
;; those that the original program spells out.
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

(def hmm-value
  [[0.9 0.8 0.7 0 -0.025 5 2 0.1 0 0.13 0.45 6 0.2 0.3 -1 -1]
   (discrete [1/3 1/3 1/3])
   [(discrete [0.1 0.5 0.4])
    (discrete [0.2 0.2 0.6])
    (discrete [0.15 0.15 0.7])]
   [(normal -1 1) (normal 1 1) (normal 0 1)]])
