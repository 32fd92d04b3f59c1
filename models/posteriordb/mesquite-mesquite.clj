;; SPDX-License-Identifier: Apache-2.0
;; Linear regression: the weight of mesquite bushes on what can be measured without harvesting them.
(defquery mesquite [weight diam1 diam2 canopy_height total_height density group]
  (let [[b1 b2 b3 b4 b5 b6 b7 :as beta] (vec (repeatedly 7 (fn [] (sample (flat)))))
        sigma (sample (half-flat))]
    (map (fn [w d1 d2 canopy total stems g]
           (observe (normal (+ b1 (* b2 d1) (* b3 d2) (* b4 canopy) (* b5 total) (* b6 stems) (* b7 g))
                            sigma)
                    w))
         weight diam1 diam2 canopy_height total_height density group)
    (predict :beta beta)
    (predict :sigma sigma)))
