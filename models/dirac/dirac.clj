;; SPDX-License-Identifier: Apache-2.0
;; Three dice whose sum is known: a hard constraint, met by six of the 216 throws.
(defquery dirac-sum []
  (let [die (uniform-discrete 1 7)
        a (sample die)
        b (sample die)
        c (sample die)]
    (observe (dirac (+ a b c)) 5)
    (predict :a a)
    (predict :largest (max a b c))))
