;; SPDX-License-Identifier: Apache-2.0
;; Nothing is observed.
(defquery prior
  (let [x (sample (uniform-continuous 0 1)) y (sample (uniform-continuous 0 1))]
    (predict :inside (< (+ (* x x) (* y y)) 1))))
