;; SPDX-License-Identifier: Apache-2.0
;; Nothing is observed.
(defquery prior
  (let [x (mem (fn [k] (sample (gamma 2 1))))]
    (predict :sum (+ (x 1) (x 2) (x 1)))))
