;; SPDX-License-Identifier: Apache-2.0
;; Draws that pile up where doubles end. Half of gamma(0.001, 1) lies below the smallest double, a third of beta(0.01, 0.01)
;; above the largest one below 1: those points carry mass. An engine that keeps a draw under new parameters and scores such
;; a point by the density there is far off (P(z) 0.33 with the beta alone, which has 0.509).
(defquery clipped []
  (let [z (sample (flip 0.5))
        c (if z 0.01 0.05)
        x (sample (beta c c))
        _ (observe (flip x) true)
        g (sample (gamma (if z 0.001 0.003) 1))]
    (observe (flip x) true)
    (observe (flip (if (> g 1e-300) 0.9 0.3)) true)
    (predict :z z)))
