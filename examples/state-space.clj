;; SPDX-License-Identifier: Apache-2.0
;; The level of the Nile at Aswan, 1871 to 1970 (yearly flow, 10^8 cubic metres): a random walk, seen with noise.
;; chancel infer examples/state-space.clj --data examples/data/nile.csv
(defquery nile [flow]
  (let [walk (sample (half-normal 100))
        noise (sample (half-normal 200))
        levels (reduce (fn [levels y]
                         (let [level (sample (normal (peek levels) walk))]
                           (observe (normal level noise) y)
                           (conj levels level)))
                       [(sample (normal 1000 200))]
                       flow)]
    (predict :walk walk)
    (predict :noise noise)
    (predict :level (subvec levels 1))))
