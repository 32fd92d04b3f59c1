;; SPDX-License-Identifier: Apache-2.0
;; A fair coin, or one with two heads.
(defquery coin
  (let [p (if (sample (flip 0.5)) 1.0 0.5)
        extra (sample (poisson 2))]
    (dotimes [i 10] (observe (flip p) true))
    (observe (poisson (+ 1 extra)) 4)
    (predict :p p)
    (predict :extra extra)))
