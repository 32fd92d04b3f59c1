;; SPDX-License-Identifier: Apache-2.0
;; Nothing is observed.
(defquery prior
  (predict :end (reduce (fn [x _] (sample (normal x 1))) 0.0 (range 100))))
