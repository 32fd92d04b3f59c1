;; SPDX-License-Identifier: Apache-2.0
;; A line on which some points do not lie.
(defquery outliers
  (let [a (sample (normal 0 3))
        b (sample (normal 0 3))
        share (sample (beta 1 5))]
    (doseq [[x y] [[0 0.9] [1 3.1] [2 5.0] [3 17.0] [4 9.1] [5 10.8]]]
      (if (sample (flip share))
        (observe (normal 0 20) y)
        (observe (normal (+ a (* b x)) 0.3) y)))
    (predict :slope b)))
