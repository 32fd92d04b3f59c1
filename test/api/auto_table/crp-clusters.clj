;; SPDX-License-Identifier: Apache-2.0
;; Clusters of a restaurant process whose means can be summed out.
(defquery clusters
  (let [mean (mem (fn [table] (sample (normal 0 3))))]
    (loop [ys [-2.9 -3.1 3.0 2.8 3.3 -2.7] crp (CRP 1.0) tables []]
      (if (seq ys)
        (let [table (sample (produce crp))]
          (observe (normal (mean table) 1) (first ys))
          (recur (rest ys) (absorb crp table) (conj tables table)))
        (predict :tables (count (distinct tables)))))))
