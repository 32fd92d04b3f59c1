;; SPDX-License-Identifier: Apache-2.0
;; A mean and a standard deviation for each table, which nothing sums out; observed after the seating.
(defquery spreads
  (let [mu (mem (fn [t] (sample (normal 0 5))))
        sd (mem (fn [t] (sample (gamma 5 5))))
        ys [-2.9 -3.1 -3.0 3.0 2.8 3.3]
        zs (loop [n 6 crp (CRP 0.02) zs []]
             (if (> n 0)
               (let [z (sample (produce crp))]
                 (recur (dec n) (absorb crp z) (conj zs z)))
               zs))]
    (mapv (fn [z y] (observe (normal (mu z) (sd z)) y)) zs ys)
    (predict :mu (mu (first zs)))))
