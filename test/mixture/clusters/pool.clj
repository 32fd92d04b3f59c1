;; SPDX-License-Identifier: Apache-2.0
;; The parameters of all tables there can be are drawn before the seating, in a let.
(defquery pool
  (let [mus (vec (repeatedly 5 (fn [] (sample (normal 0 5)))))
        sds (vec (repeatedly 5 (fn [] (sample (gamma 5 5)))))
        ys [-2.7 -3.2 2.9 3.1 -3.0]
        zs (loop [n 5 crp (CRP 0.03) zs []]
             (if (> n 0)
               (let [z (sample (produce crp))]
                 (recur (dec n) (absorb crp z) (conj zs z)))
               zs))]
    (mapv (fn [z y] (observe (normal (nth mus z) (nth sds z)) y)) zs ys)
    (predict :mu (nth mus (first zs)))))
