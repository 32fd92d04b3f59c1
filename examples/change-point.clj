;; SPDX-License-Identifier: Apache-2.0
;; When did coal mines in Britain become safer? The number of disasters in each year, 1851 to 1962 (Jarrett, 1979).
;; chancel infer examples/change-point.clj --data examples/data/coal.csv
(defquery change-point [year disasters]
  (let [early (sample (exponential 1))
        late (sample (exponential 1))
        change (sample (uniform-discrete (first year) (inc (last year))))]
    (map (fn [y n] (observe (poisson (if (< y change) early late)) n)) year disasters)
    (predict :early early)
    (predict :late late)
    (predict :change change)))
