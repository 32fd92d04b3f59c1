;; SPDX-License-Identifier: Apache-2.0
;; An observe inside the memoised function of a table: as many observes as tables.
(defquery observed-parameter
  (let [mu (mem (fn [t] (let [m (sample (normal 0 3))] (observe (normal m 0.5) 1.5) m)))
        ys [-0.4 0.2 2.6 3.1 0.1]
        zs (loop [n 5 crp (CRP 1.0) zs []]
             (if (> n 0)
               (let [z (sample (produce crp))]
                 (recur (dec n) (absorb crp z) (conj zs z)))
               zs))]
    (mapv (fn [z y] (observe (normal (mu z) 1) y)) zs ys)
    (predict :k (count (distinct zs)))
    (predict :mu (mu (first zs)))))
