;; SPDX-License-Identifier: Apache-2.0
;; Random arithmetic expressions with a known value.
(defn expression [depth]
  (if (or (>= depth 4) (sample (flip 0.6)))
    (sample (uniform-discrete 1 10))
    (let [left (expression (inc depth))
          right (expression (inc depth))]
      (if (sample (flip 0.5)) (+ left right) (* left right)))))
(defquery arithmetic
  (let [x (expression 0)]
    (observe (normal x 1) 24)
    (predict :x x)))
