;; SPDX-License-Identifier: Apache-2.0
;; 15625 executions.
(defquery finite
  (let [order (repeatedly 6 (fn [] (sample (uniform-discrete 0 5))))]
    (condition (apply <= order))
    (predict :last (last order))))
