;; SPDX-License-Identifier: Apache-2.0
;; Three groups, where two tables with a larger spread are possible.
(defquery three-clusters
  (let [mu (mem (fn [t] (sample (normal 0 6))))
        sd (mem (fn [t] (sample (gamma 3 3))))
        ys [-5.1 0.2 4.8 -4.7 -0.3 5.3]
        zs (loop [n 6 crp (CRP 0.1) zs []]
             (if (> n 0)
               (let [z (sample (produce crp))]
                 (recur (dec n) (absorb crp z) (conj zs z)))
               zs))]
    (mapv (fn [z y] (observe (normal (mu z) (sd z)) y)) zs ys)
    (predict :mu (mu (second zs)))))
