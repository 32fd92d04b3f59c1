;; SPDX-License-Identifier: Apache-2.0
;; A two-state hidden Markov model whose probability of staying is itself unknown, on a grid of three values. Particle
;; filters lose the diversity of the parameter; particle Gibbs and MH must get it back.
(defquery hmm-parameter [observations]
  (let [stay (sample (categorical [[0.2 1] [0.5 1] [0.8 1]]))
        states (reduce
                 (fn [states y]
                   (let [previous (peek states)
                         state (if (sample (flip stay)) previous (- 1 previous))]
                     (observe (normal state 0.7) y)
                     (conj states state)))
                 [(sample (bernoulli 0.5))]
                 observations)]
    (predict :stay stay)
    (predict :states states)))

(def hmm-parameter-value [[0.1 -0.4 0.3 1.2 0.9 1.1 0.8 0.2]])
