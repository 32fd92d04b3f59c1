;; SPDX-License-Identifier: Apache-2.0
;; Defects of 30 parts, seen through a test that errs.
(defquery defects
  (let [defects (repeatedly 30 (fn [] (sample (flip 0.1))))
        seen (reduce + (map (fn [d] (if d 0.9 0.05)) defects))]
    (observe (normal seen 1) 6)
    (predict :defects (count (filter true? defects)))))
