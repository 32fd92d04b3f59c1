;; SPDX-License-Identifier: Apache-2.0
;; 16807 executions.
(defquery finite
  (let [digits (repeatedly 5 (fn [] (sample (uniform-discrete 1 8))))]
    (condition (= 5 (count (distinct digits))))
    (condition (= 20 (reduce + digits)))
    (predict :largest (reduce max digits))))
