;; SPDX-License-Identifier: Apache-2.0
;; Does aspirin prevent heart attacks? Physicians' Health Study (preliminary report, 1988): attacks among those on placebo and on aspirin.
;; chancel infer examples/ab-test.clj --data examples/data/aspirin.csv
(defquery ab-test [people attacks]
  (let [[placebo aspirin] (mapv (fn [_] (sample (beta 1 1))) people)]
    (map (fn [risk n k] (observe (binomial n risk) k)) [placebo aspirin] people attacks)
    (predict :placebo placebo)
    (predict :aspirin aspirin)
    (predict :relative-risk (/ aspirin placebo))
    (predict :prevented-in-1000 (* 1000 (- placebo aspirin)))
    (predict :halved (< (* 2 aspirin) placebo))))
