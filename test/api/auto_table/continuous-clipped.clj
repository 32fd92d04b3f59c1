;; SPDX-License-Identifier: Apache-2.0
;; A comparison that the bounds of its draw decide, and a function with a kink.
(defquery clipped
  (let [scale (sample (gamma 2 1))
        shift (sample (normal 0 2))
        sd (if (> scale 0) scale 1.0)]
    (doseq [y [0.4 0.0 1.2 0.3]]
      (observe (normal (max shift 0) sd) y))
    (predict :shift shift)))
