;; SPDX-License-Identifier: Apache-2.0
;; The concentration of the process is a draw, too.
(defquery concentration
  (let [alpha (sample (gamma 2 1))
        mean (mem (fn [table] (sample (normal 0 3))))]
    (loop [ys [-2.9 -3.1 3.0 2.8] crp (CRP alpha) tables []]
      (if (seq ys)
        (let [table (sample (produce crp))]
          (observe (normal (mean table) 1) (first ys))
          (recur (rest ys) (absorb crp table) (conj tables table)))
        (predict :tables (count (distinct tables)))))))
