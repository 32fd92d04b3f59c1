;; SPDX-License-Identifier: Apache-2.0
;; n observes inside non-tail recursion: time must grow linearly with n (chancel infer ... --value '[10000]').
(defm walk [n x]
  (if (= n 0)
    0.0
    (let [x (sample (normal x 1))]
      (observe (normal x 1) 0)
      (+ x (walk (dec n) x)))))

(defquery deep-observes [n]
  (predict :sum (walk n 0.0)))
