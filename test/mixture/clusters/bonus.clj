;; SPDX-License-Identifier: Apache-2.0
;; A factor that only some seatings reach.
(defquery bonus
  (let [mu (mem (fn [t] (sample (normal 0 3))))
        ys [0.3 -0.4 0.9 1.6 -1.2 0.1]
        zs (loop [n 6 crp (CRP 0.4) zs []]
             (if (> n 0)
               (let [z (sample (produce crp))]
                 (recur (dec n) (absorb crp z) (conj zs z)))
               zs))]
    (mapv (fn [z y] (observe (normal (mu z) 1) y)) zs ys)
    (when (>= (count (distinct zs)) 3) (factor 5.0))
    (predict :k (count (distinct zs)))))
