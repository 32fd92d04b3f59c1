;; SPDX-License-Identifier: Apache-2.0
;; How many animals there are, when 14 of them were caught and 5 of those again.
(defquery capture
  (let [animals (+ 15 (sample (geometric 0.02)))]
    (observe (binomial 12 (/ 14 animals)) 5)
    (predict :animals animals)))
