;; SPDX-License-Identifier: Apache-2.0
;; Clusters with a standard deviation each, which nothing sums out.
(defquery spreads
  (let [mean (mem (fn [table] (sample (normal 0 5))))
        spread (mem (fn [table] (sample (gamma 5 5))))]
    (loop [ys [-2.9 -3.1 3.0 2.8 3.3 -2.7] crp (CRP 0.5) tables []]
      (if (seq ys)
        (let [table (sample (produce crp))]
          (observe (normal (mean table) (spread table)) (first ys))
          (recur (rest ys) (absorb crp table) (conj tables table)))
        (predict :tables (count (distinct tables)))))))
