;; SPDX-License-Identifier: Apache-2.0
;; Linear regression of a million rows of a table.
(defquery million [x1 x2 x3 x4 x5 y]
  (let [alpha (sample (normal 0 5))
        beta (vec (repeatedly 5 (fn [] (sample (normal 0 2.5)))))
        sigma (sample (half-normal 5))]
    (doseq [[a b c d e outcome] (map vector x1 x2 x3 x4 x5 y)]
      (let [[b1 b2 b3 b4 b5] beta]
        (observe (normal (+ alpha (* b1 a) (* b2 b) (* b3 c) (* b4 d) (* b5 e)) sigma) outcome)))
    (predict :alpha alpha)
    (predict :beta beta)
    (predict :sigma sigma)))
