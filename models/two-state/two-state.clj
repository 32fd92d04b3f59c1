;; SPDX-License-Identifier: Apache-2.0
;; One hidden bit and two observes that cancel: P(s) = 1/2 exactly. Small, and the sharpest test of particle engines:
;; any mistake in how weights, resampling and the retained execution are handled moves it.
(defquery two-state []
  (let [s (sample (flip 0.5))]
    (observe (flip (if s 0.25 0.75)) true)
    (observe (flip (if s 0.75 0.25)) true)
    (predict :s s)))
