;; SPDX-License-Identifier: Apache-2.0
;; A chain of two normals and one observe far in the tail. A random-walk engine that mistakes the kernel's density for
;; the prior's is far off here.
(defquery gaussian-chain []
  (let [x (sample (normal 0 1))
        y (sample (normal x 1))]
    (observe (normal y 1) 3)
    (predict :x x)
    (predict :y y)))
