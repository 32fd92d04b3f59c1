;; SPDX-License-Identifier: Apache-2.0
;; Maps that particles change by keywords and integers: found, absent, replaced, grown.
(defquery keyword-maps [ys]
  (let [table {:a 1.0 :b 2.0 3 0.5}
        k (sample (categorical {:a 0.3 :b 0.3 :c 0.4}))
        m (assoc table k (sample (normal 0 1)))
        j (sample (uniform-discrete 2 5))]
    (observe (normal (get m k 0.0) 1) 0.5)
    (predict :got [(get m k) (get m :z) (get m j :none) (m :b) (:a m 7)])
    (predict :more (assoc m :z k j 1.5))
    (predict :m m)))
(def keyword-maps-value [[1]])
