;; SPDX-License-Identifier: Apache-2.0
;; Gaussian process regression with a squared exponential kernel. sigma is the variance of the noise.
(defquery gp-regression [x y]
  (let [rho (sample (gamma 25 4))
        alpha (sample (half-normal 2))
        sigma (sample (half-normal 1))
        indexed (map-indexed vector x)
        covariance (mapv (fn [[i a]]
                           (mapv (fn [[j b]]
                                   (+ (* alpha alpha (exp (/ (square (- a b)) (* -2 rho rho))))
                                      (if (= i j) sigma 0)))
                                 indexed))
                         indexed)]
    (observe (mvn (mapv (fn [_] 0) y) covariance) y)
    (predict :rho rho)
    (predict :alpha alpha)
    (predict :sigma sigma)))
