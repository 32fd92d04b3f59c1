;; SPDX-License-Identifier: Apache-2.0
;; A generator of arithmetic expressions in x; an expression is conditioned on its values.
;; draws: 1500000
(def xs [-2.00 -1.50 -1.00 -0.50 0.00 0.50 1.00 1.50 2.00])
(def ys [4.80 2.90 2.15 0.84 0.54 1.35 1.89 2.83 4.80])

(defm expression [depth]
  (if (or (= depth 0) (sample (flip 0.4)))
    (if (sample (flip 0.5))
      :x
      (sample (uniform-discrete 0 5)))
    (let [operator (sample (categorical {:plus 0.5 :times 0.3 :minus 0.2}))]
      [operator (expression (dec depth)) (expression (dec depth))])))

(defn value [e x]
  (cond (= e :x) x
        (number? e) e
        :else (let [[operator a b] e]
                (case operator
                  :plus (+ (value a x) (value b x))
                  :minus (- (value a x) (value b x))
                  :times (* (value a x) (value b x))))))

(defquery expressions [xs ys]
  (let [e (expression 4)]
    (dorun (map (fn [x y] (observe (normal (value e x) 1) y)) xs ys))
    (predict :at-three (value e 3))))

(def expressions-value [xs ys])
