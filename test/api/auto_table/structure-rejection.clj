;; SPDX-License-Identifier: Apache-2.0
;; A rejection loop inside a program.
(defn positive []
  (let [x (sample (normal 0 1))]
    (if (> x 0.5) x (positive))))
(defquery truncated
  (let [x (positive)]
    (observe (normal x 1) 2)
    (predict :x x)))
