;; SPDX-License-Identifier: Apache-2.0
;; A remembered function observes, and some executions first call it after all other draws.
(defquery remembered
  (let [reading (mem (fn [k] (observe (normal k 1) 2.5) (sample (normal k 1))))
        x (sample (normal 0 1))
        y (reading 1)
        z (sample (normal y 1))]
    (predict :x x)
    (predict :y (if (> z 3.5) (reading 3) y))))
