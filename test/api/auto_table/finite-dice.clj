;; SPDX-License-Identifier: Apache-2.0
;; 46656 executions.
(defquery finite
  (let [xs (repeatedly 6 (fn [] (sample (uniform-discrete 0 6))))]
    (observe (normal (reduce + xs) 1) 20)
    (predict :first (first xs))))
