;; SPDX-License-Identifier: Apache-2.0
;; Miles per gallon (mpg) of 32 cars, given their weight in 1000 lb (wt) and their power (hp).
;; Data: Motor Trend, 1974 (R's mtcars).
(defquery cars [mpg wt hp]
  (let [start (sample (normal 0 100))
        weight (sample (normal 0 10))
        power (sample (normal 0 10))
        noise (sample (half-cauchy 5))
        expected (fn [w p] (+ start (* weight w) (* power p)))]
    (map (fn [w p miles] (observe (normal (expected w p) noise) miles)) wt hp mpg)
    (predict :weight weight)
    (predict :power power)
    (predict :new-car (sample (normal (expected 3 100) noise)))))
