;; SPDX-License-Identifier: Apache-2.0
;; Births and deaths with unknown rates, counted with error.
(defquery population
  (let [birth (sample (beta 2 8))
        death (sample (beta 2 8))]
    (reduce (fn [n y]
              (let [n (+ n (sample (binomial n birth)))
                    n (- n (sample (binomial n death)))]
                (observe (normal n 3) y)
                n))
            20
            [21 22 24 23 26 27 27 30 31 33 33 36])
    (predict :birth birth)))
