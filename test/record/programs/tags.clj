;; SPDX-License-Identifier: Apache-2.0
;; Tags of catch and throw that are draws.

(defquery caught-tags
  (let [x (sample (normal 0 1))
        tag [x :tag]]
    (predict :number (catch x (throw x [x 1])))
    (predict :vector (catch tag (+ 1 (throw tag (* 2 x)))))
    (predict :outer (catch :a (catch x (throw :a x))))
    (observe (normal (catch :early (if (> x 0) (throw :early x) 0)) 1) 0)))
