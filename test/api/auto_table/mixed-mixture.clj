;; SPDX-License-Identifier: Apache-2.0
;; Two clusters, their means in a let.
(defquery mixture
  (let [means [(sample (normal -2 2)) (sample (normal 2 2))]
        labels (mapv (fn [y]
                       (let [z (sample (uniform-discrete 0 2))]
                         (observe (normal (nth means z) 1) y)
                         z))
                     [-2.3 -1.8 2.2 1.7 2.6 -2.1])]
    (predict :low (nth means 0))
    (predict :first (nth labels 0))))
