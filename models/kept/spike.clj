;; SPDX-License-Identifier: Apache-2.0
;; The same law as atoms.clj, written as a distribution of the program's own: a spike at m, or a normal.
(defdist spike [m] []
  (sample* [this] (if (sample* (flip 0.5)) m (sample* (normal 0 1))))
  (observe* [this x]
    (if (= x m) (log 0.5) (+ (log 0.5) (observe* (normal 0 1) x)))))
(defquery spiked []
  (let [m (sample (normal 0 1))
        _ (observe (normal m 1) 0.5)
        x (sample (spike m))]
    (observe (normal x 1) -0.5)
    (predict :same (= x m))))
