;; SPDX-License-Identifier: Apache-2.0
;; A Dirichlet process with a continuous base: the second value is the first one again with probability 1/2, or new. The
;; mass of an old value and the density of a new one are of different kinds.
(defquery atoms []
  (let [process (XRP (DP 1.0 (normal 0 1)))
        a (SAMPLE process)
        _ (observe (normal a 1) 0.5)
        b (SAMPLE process)]
    (observe (normal b 1) -0.5)
    (predict :same (= a b))))
