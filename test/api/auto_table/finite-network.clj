;; SPDX-License-Identifier: Apache-2.0
;; 16384 executions.
(defquery finite
  (let [nodes (reduce (fn [on k] (conj on (sample (flip (if (and (seq on) (peek on)) 0.7 0.2)))))
                      [] (range 14))]
    (observe (flip (if (nth nodes 13) 0.9 0.1)) true)
    (predict :middle (nth nodes 6))))
