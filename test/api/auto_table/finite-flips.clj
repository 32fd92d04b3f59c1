;; SPDX-License-Identifier: Apache-2.0
;; 16384 executions.
(defquery finite
  (let [xs (repeatedly 14 (fn [] (sample (flip 0.3))))
        n (count (filter true? xs))]
    (observe (normal n 1) 7.2)
    (predict :n n)))
