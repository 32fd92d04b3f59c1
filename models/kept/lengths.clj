;; SPDX-License-Identifier: Apache-2.0
;; Vectors of different lengths, some of which both laws can give: whether a kept value is drawn anew must not depend on
;; what the new draw looks like. Once from a categorical, once from the table of an enumerated query.
(defquery pair [long]
  (let [a (sample (flip 0.5))]
    (if (and long a) [1 2 3] (if a [1] [(if long 1 2)]))))
(defquery lengths []
  (let [z (sample (flip 0.5))
        v (sample (if z
                    (categorical [[[1] 0.5] [[1 2] 0.5]])
                    (categorical [[[1 2] 0.25] [[3] 0.75]])))
        _ (observe (flip (if (= (count v) 1) 0.4 0.8)) true)
        w (sample ((conditional pair :enumerate) z))]
    (observe (flip (case (count w) 1 (if (= w [1]) 0.6 0.2) 0.9)) true)
    (predict :z z)))
