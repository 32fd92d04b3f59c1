;; SPDX-License-Identifier: Apache-2.0
;; How fast do 82 galaxies move away from us (1000 km/s)? Three groups; the group of each galaxy is summed out (Roeder, 1990).
;; chancel infer examples/mixture.clj --data examples/data/galaxies.csv
(defquery galaxies [velocity]
  (let [means (sample (ordered (normal 20 10) 3))
        sd (sample (log-normal 0 1))
        weights (sample (dirichlet [2 2 2]))
        groups (mixture weights (mapv (fn [mean] (normal mean sd)) means))]
    (map (fn [v] (observe groups v)) velocity)
    (predict :means means)
    (predict :sd sd)
    (predict :weights weights)))
