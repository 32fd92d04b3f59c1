;; SPDX-License-Identifier: Apache-2.0
;; The parameters of a table are drawn when it is opened and kept in a map.
(defquery map-of-tables
  (loop [ys [2.9 -3.1 3.3 2.8 -2.6] crp (CRP 0.05) tables {}]
    (if (seq ys)
      (let [z (sample (produce crp))
            table (get tables z [(sample (normal 0 5)) (sample (gamma 5 5))])]
        (observe (normal (first table) (second table)) (first ys))
        (recur (rest ys) (absorb crp z) (assoc tables z table)))
      (do (predict :k (count tables))
          (predict :mu (first (get tables 0)))))))
