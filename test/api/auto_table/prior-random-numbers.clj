;; SPDX-License-Identifier: Apache-2.0
;; Nothing is observed.
(defquery prior
  (let [x (sample (normal 0 1))]
    (predict :x (+ x (rand)))))
