;; SPDX-License-Identifier: Apache-2.0
;; A Pitman-Yor process by hand: tables with a discount, drawn by their weights.
(defquery pitman-yor
  (let [mu (mem (fn [t] (sample (normal 0 5))))
        sd (mem (fn [t] (sample (gamma 5 5))))
        ys [-3.1 2.8 -2.9 3.0 3.2]
        zs (loop [n 5 sizes [] zs []]
             (if (> n 0)
               (let [k (count sizes)
                     z (sample (discrete (conj (mapv (fn [s] (- s 0.05)) sizes) (+ 0.01 (* 0.05 k)))))]
                 (recur (dec n) (if (= z k) (conj sizes 1) (update sizes z inc)) (conj zs z)))
               zs))]
    (mapv (fn [z y] (observe (normal (mu z) (sd z)) y)) zs ys)
    (predict :mu (mu (first zs)))))
