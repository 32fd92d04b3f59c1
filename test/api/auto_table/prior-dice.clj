;; SPDX-License-Identifier: Apache-2.0
;; Nothing is observed.
(defquery prior
  (predict :sum (reduce + (repeatedly 12 (fn [] (sample (uniform-discrete 1 7)))))))
