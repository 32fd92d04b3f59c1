;; SPDX-License-Identifier: Apache-2.0
;; A straight line with unknown noise.
(defquery line
  (let [a (sample (normal 0 5))
        b (sample (normal 0 5))
        noise (sample (gamma 2 2))]
    (doseq [[x y] [[0 1.1] [1 2.9] [2 5.2] [3 7.1] [4 8.8]]]
      (observe (normal (+ a (* b x)) noise) y))
    (predict :slope b)))
