;; SPDX-License-Identifier: Apache-2.0
;; Counts by tables with a rate each, its logarithm normal.
(defquery counts
  (let [rate (mem (fn [t] (exp (sample (normal 1 1.5)))))
        ys [1 14 0 12 2 15]
        zs (loop [n 6 crp (CRP 0.01) zs []]
             (if (> n 0)
               (let [z (sample (produce crp))]
                 (recur (dec n) (absorb crp z) (conj zs z)))
               zs))]
    (mapv (fn [z y] (observe (poisson (rate z)) y)) zs ys)
    (predict :rate (rate (first zs)))))
