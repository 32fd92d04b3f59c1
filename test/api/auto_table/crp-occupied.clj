;; SPDX-License-Identifier: Apache-2.0
;; A restaurant that is not empty at the start.
(defquery occupied
  (let [mean (mem (fn [table] (sample (normal 0 3))))]
    (loop [ys [-1.9 2.2 2.1 -2.3] crp (CRP 1.0 [2 1]) tables []]
      (if (seq ys)
        (let [table (sample (produce crp))]
          (observe (normal (mean table) 1) (first ys))
          (recur (rest ys) (absorb crp table) (conj tables table)))
        (predict :new (count (filter (fn [t] (> t 1)) tables)))))))
