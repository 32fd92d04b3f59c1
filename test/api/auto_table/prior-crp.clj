;; SPDX-License-Identifier: Apache-2.0
;; Nothing is observed.
(defquery prior
  (loop [n 20 crp (CRP 1.0) tables []]
    (if (> n 0)
      (let [table (sample (produce crp))]
        (recur (dec n) (absorb crp table) (conj tables table)))
      (predict :tables (count (distinct tables))))))
