;; SPDX-License-Identifier: Apache-2.0
;; Occupied tables whose mean and spread are draws.
(defquery occupied-spreads
  (let [mu (mem (fn [t] (sample (normal 0 5))))
        sd (mem (fn [t] (sample (gamma 5 5))))
        ys [-3.0 3.2 2.8 -2.7 3.1]
        zs (loop [n 5 crp (CRP 0.2 [30 1]) zs []]
             (if (> n 0)
               (let [z (sample (produce crp))]
                 (recur (dec n) (absorb crp z) (conj zs z)))
               zs))]
    (mapv (fn [z y] (observe (normal (mu z) (sd z)) y)) zs ys)
    (predict :mu (mu (first zs)))
    (predict :second (count (filter (fn [z] (= z 1)) zs)))))
