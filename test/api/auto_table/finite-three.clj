;; SPDX-License-Identifier: Apache-2.0
;; 27000 executions.
(defquery finite
  (let [a (sample (uniform-discrete 0 30))
        b (sample (uniform-discrete 0 30))
        c (sample (uniform-discrete 0 30))]
    (condition (= (+ (* a a) (* b b)) (* c c)))
    (predict :c c)))
