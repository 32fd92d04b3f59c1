;; SPDX-License-Identifier: Apache-2.0
;; Independent draws from one distribution of tables are not a seating process.
(defquery independent-seats
  (let [mu (mem (fn [t] (sample (normal 0 3))))
        zs (vec (repeatedly 5 (fn [] (sample (categorical-crp [2 1] 1.0)))))]
    (mapv (fn [z y] (observe (normal (mu z) 1) y)) zs [-1.9 2.2 2.1 -2.3 0.4])
    (predict :new (count (filter (fn [z] (= z 2)) zs)))))
