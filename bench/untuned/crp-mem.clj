;; SPDX-License-Identifier: Apache-2.0
;; A mixture with an unknown number of groups: a Chinese restaurant process, with a memoised mean for each table.
;; draws: 750000
(def ys [-5.92 -4.72 -4.32 -5.27 4.51 4.51 -0.72 -4.64 0.15 3.41 0.10 3.93 -0.32 -5.81 -0.01 -5.06 3.14 3.50 0.68
         -0.97 0.34 -0.84 4.50 4.19 4.25 3.96 3.54 -0.02 4.34 -0.74])

(defquery groups [ys]
  (let [mean-of (mem (fn [table] (sample (normal 0 5))))
        deviation-of (mem (fn [table] (sample (gamma 4 4))))]
    (loop [process (CRP 1.0)
           ys ys
           tables []]
      (if (empty? ys)
        (predict :groups (count (distinct tables)))
        (let [table (sample (produce process))]
          (observe (normal (mean-of table) (deviation-of table)) (first ys))
          (recur (absorb process table) (rest ys) (conj tables table)))))))

(def groups-value [ys])
