;; SPDX-License-Identifier: Apache-2.0
;; Guests of a Chinese restaurant; table k makes its guests score near 2k. All seatings can be enumerated.
(defquery crp [scores]
  (loop [scores scores
         restaurant (CRP 1.5)
         tables []]
    (if (seq scores)
      (let [table (sample (produce restaurant))]
        (observe (normal (* 2 table) 1) (first scores))
        (recur (rest scores) (absorb restaurant table) (conj tables table)))
      (do
        (predict :tables tables)
        (predict :num-tables (count (distinct tables)))))))

(def crp-value [[0.1 2.2 -0.3 4.1 1.9 0.4]])
