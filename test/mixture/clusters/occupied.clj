;; SPDX-License-Identifier: Apache-2.0
;; A restaurant with occupied tables: two of them are known, the others are new.
(defquery occupied
  (let [mu (mem (fn [t] (sample (normal 0 3))))]
    (loop [ys [-1.9 2.2 2.1 -2.3 0.4] crp (CRP 1.0 [2 1]) zs []]
      (if (seq ys)
        (let [z (sample (produce crp))]
          (observe (normal (mu z) 1) (first ys))
          (recur (rest ys) (absorb crp z) (conj zs z)))
        (predict :new (count (filter (fn [z] (> z 1)) zs)))))))
