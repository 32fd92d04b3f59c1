;; SPDX-License-Identifier: Apache-2.0
;; How biased is this coin? chancel infer examples/coin.clj -a smc --value '[[true true false true]]'
(defquery coin [flips]
  (let [p (sample (beta 1 1))]
    (map (fn [x] (observe (flip p) x)) flips)
    (predict :p p)))
