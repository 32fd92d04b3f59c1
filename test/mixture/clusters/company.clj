;; SPDX-License-Identifier: Apache-2.0
;; Only those in company are observed: which observes there are depends on the seating.
(defquery company
  (let [mu (mem (fn [t] (sample (normal 0 4))))
        sd (mem (fn [t] (sample (gamma 5 5))))
        ys [-2.3 2.2 -2.6 2.7 9.0]
        zs (loop [n 5 crp (CRP 0.2) zs []]
             (if (> n 0)
               (let [z (sample (produce crp))]
                 (recur (dec n) (absorb crp z) (conj zs z)))
               zs))
        size (frequencies zs)]
    (mapv (fn [z y] (when (> (get size z) 1) (observe (normal (mu z) (sd z)) y))) zs ys)
    (predict :k (count size))
    (predict :alone (count (filter (fn [z] (= (get size z) 1)) zs)))))
