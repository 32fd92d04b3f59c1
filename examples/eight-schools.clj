;; SPDX-License-Identifier: Apache-2.0
;; What does coaching do for test scores? Eight schools, each with a measured effect and its standard error (Rubin, 1981).
;; chancel infer examples/eight-schools.clj --data examples/data/schools.csv
(defquery eight-schools [effect error]
  (let [mu (sample (normal 0 10))
        tau (sample (half-cauchy 5))
        theta (mapv (fn [_] (+ mu (* tau (sample (normal 0 1))))) effect)]
    (map (fn [true-effect measured sd] (observe (normal true-effect sd) measured)) theta effect error)
    (predict :mu mu)
    (predict :tau tau)
    (predict :theta theta)))
