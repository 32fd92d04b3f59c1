;; SPDX-License-Identifier: Apache-2.0
;; Points inside a curve: an inequality between continuous draws decides about the observation.
(defquery heart
  (let [x (sample (uniform-continuous -2 2))
        y (sample (uniform-continuous -2 2))
        a (- (+ (* x x) (* y y)) 1)]
    (condition (<= (* a a a) (* x x y y y)))
    (predict :x x)
    (predict :y y)))
