;; SPDX-License-Identifier: Apache-2.0
;; A factor that only some seatings reach.
(defquery preferred
  (loop [n 6 crp (CRP 1.0) tables []]
    (if (> n 0)
      (let [table (sample (produce crp))]
        (recur (dec n) (absorb crp table) (conj tables table)))
      (let [k (count (distinct tables))]
        (when (>= k 3) (factor 2.0))
        (observe (normal k 2) 3)
        (predict :k k)))))
