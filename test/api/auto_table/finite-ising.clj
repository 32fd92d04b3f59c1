;; SPDX-License-Identifier: Apache-2.0
;; 65536 executions.
(defquery finite
  (let [spins (vec (repeatedly 16 (fn [] (if (sample (flip 0.5)) 1 -1))))]
    (factor (* 0.4 (reduce + (map * spins (rest spins)))))
    (predict :ends (* (first spins) (peek spins)))))
