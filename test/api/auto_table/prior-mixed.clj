;; SPDX-License-Identifier: Apache-2.0
;; Nothing is observed.
(defquery prior
  (let [k (sample (poisson 3)) x (sample (normal k 1))]
    (predict :x x)))
