;; SPDX-License-Identifier: Apache-2.0
;; Nothing is observed.
(defquery prior
  (let [p (sample (dirichlet [1 1 1]))]
    (predict :largest (reduce max p))))
