;; SPDX-License-Identifier: Apache-2.0
;; Every table has its price, and its own spread.
(defquery charge
  (let [mu (mem (fn [t] (sample (normal 0 4))))
        sd (mem (fn [t] (sample (gamma 4 4))))
        ys [-2.4 -2.0 2.3 1.9 -2.2]
        zs (loop [n 5 crp (CRP 2.0) zs []]
             (if (> n 0)
               (let [z (sample (produce crp))]
                 (recur (dec n) (absorb crp z) (conj zs z)))
               zs))]
    (factor (* -3.0 (count (distinct zs))))
    (mapv (fn [z y] (observe (normal (mu z) (sd z)) y)) zs ys)
    (predict :mu (mu (first zs)))))
