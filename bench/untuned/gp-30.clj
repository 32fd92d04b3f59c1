;; SPDX-License-Identifier: Apache-2.0
;; Gaussian process regression at thirty points; the length and the height of the kernel are unknown.
;; draws: 25000
(def xs [0.09 0.16 0.61 0.85 0.97 1.37 1.38 2.33 2.49 2.98 3.87 4.32 4.51 4.96 4.96 5.01 5.55 5.76 5.83 6.34 7.17 8.01
         8.25 8.29 8.44 8.60 8.74 9.03 9.88 9.90])
(def ys [-0.04 0.00 0.81 0.70 0.74 0.92 0.95 0.65 0.89 0.37 -0.35 -1.08 -1.05 -1.02 -0.75 -1.27 -0.71 0.06 -0.44 -0.15
         0.92 0.73 1.14 1.08 0.88 1.05 0.52 0.73 -0.52 -0.58])

(defn kernel [length height a b]
  (let [d (/ (- a b) length)]
    (* height height (exp (* -0.5 d d)))))

(defn covariance [length height noise xs]
  (vec (for [[i a] (map-indexed vector xs)]
         (vec (for [[j b] (map-indexed vector xs)]
                (+ (kernel length height a b)
                   (if (= i j) (* noise noise) 0.0)))))))

(defquery gp [xs ys]
  (let [length (sample (gamma 4 2))
        height (sample (gamma 2 2))
        noise (sample (gamma 2 10))]
    (observe (mvn (vec (repeat (count xs) 0.0)) (covariance length height (+ noise 0.01) xs)) ys)
    (predict :length length)
    (predict :height height)
    (predict :noise noise)))

(def gp-value [xs ys])
