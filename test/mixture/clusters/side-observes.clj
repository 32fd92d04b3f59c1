;; SPDX-License-Identifier: Apache-2.0
;; What the memoised function observes depends on the table's number.
(defquery side-observes
  (let [mu (mem (fn [t]
                  (let [m (sample (normal 0 4))]
                    (observe (normal m 1) (nth [-1.0 2.0 0.5 0.0 1.0] t))
                    m)))
        ys [-2.1 2.4 2.0 -1.7 0.6]
        zs (loop [n 5 crp (CRP 0.5) zs []]
             (if (> n 0)
               (let [z (sample (produce crp))]
                 (recur (dec n) (absorb crp z) (conj zs z)))
               zs))]
    (mapv (fn [z y] (observe (normal (mu z) 0.7) y)) zs ys)
    (predict :k (count (distinct zs)))
    (predict :together (if (= (nth zs 1) (nth zs 2)) 1 0))))
