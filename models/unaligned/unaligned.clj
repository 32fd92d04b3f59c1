;; SPDX-License-Identifier: Apache-2.0
;; Executions reach different numbers of observes: k of one kind, and one more of another kind when k is odd.
(defquery unaligned []
  (let [k (sample (uniform-discrete 1 6))]
    (dotimes [_ k]
      (observe (flip 0.7) true))
    (when (odd? k)
      (observe (flip 0.4) true))
    (predict :k k)))
