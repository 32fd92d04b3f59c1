;; SPDX-License-Identifier: Apache-2.0
;; 19683 executions.
(defquery finite
  (loop [t 0 s 0]
    (if (< t 9)
      (let [n (sample (discrete [1 (inc s) 2]))]
        (observe (normal n 1) (mod t 3))
        (recur (inc t) n))
      (predict :last s))))
