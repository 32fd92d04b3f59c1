;; gorilla-repl.fileformat = 1

;; **
;;; # Functions from a Gaussian process
;;;
;;; A Gaussian process is a prior over functions. Its values at any points are jointly normal, and the
;;; covariance of two of them falls with their distance:
;;;
;;; $$k(x, x') = s^2 \exp\left(-\frac{(x-x')^2}{2\ell^2}\right)$$
;;;
;;; We look at functions from the prior first, then at those that agree with seven measurements, and learn
;;; the length @@\ell@@ from them.
;; **

;; @@
(ns worksheets.gaussian-process
  (:require [gorilla-plot.core :as plot]
            [clojure.core.matrix :as m])
  (:use [anglican core runtime emit stat]))

(defn kernel [length]
  (fn [a b] (exp (/ (- (Math/pow (- a b) 2)) (* 2 length length)))))

(defn gram [k xs ys] (mapv (fn [x] (mapv (fn [y] (k x y)) ys)) xs))
(defn add-diagonal [matrix amount]
  (vec (map-indexed (fn [i row] (update row i + amount)) matrix)))

(def grid (vec (range 0 10.05 0.2)))

(defn prior-functions [length n]
  (let [law (mvn (vec (repeat (count grid) 0.0))
                 (add-diagonal (gram (kernel length) grid grid) 1e-6))]
    (repeatedly n (fn [] (sample* law)))))

(defn curves [length]
  (apply plot/compose
    (map (fn [f] (plot/list-plot (map vector grid f) :joined true
                                 :plot-size 300 :plot-range [:all [-3.2 3.2]]
                                 :x-title (str "length " length)))
         (prior-functions length 4))))

(grid-view [(map curves [0.5 1.0 3.0])])
;; @@

;; **
;;; ## Measurements
;;;
;;; Seven noisy values of some function. The noise has a standard deviation of 0.2.
;; **

;; @@
(def xs [0.7 1.9 3.1 4.0 6.4 7.3 9.2])
(def ys [0.55 1.05 0.31 -0.62 0.40 0.93 0.18])
(def noise 0.2)

(plot/list-plot (map vector xs ys) :plot-range [[0 10] [-2.5 2.5]])
;; @@

;; **
;;; ## The length scale
;;;
;;; Given @@\ell@@ the measurements are one draw from a multivariate normal distribution: functions are
;;; summed out, and what is left to infer is a single positive number.
;; **

;; @@
(defquery length-scale [xs ys]
  (let [length (sample (gamma 2 1))
        cov    (add-diagonal (gram (kernel length) xs xs) (* noise noise))]
    (observe (mvn (vec (repeat (count xs) 0.0)) cov) ys)
    length))

(def lengths
  (doall (take 4000 (map :result (drop 500 (doquery :rmh length-scale [xs ys]))))))

(plot/histogram lengths :bins 40 :normalize :probability-density :x-title "length" :y-title "density")
;; @@

;; **
;;; ## Functions that agree with the data
;;;
;;; For each of some hundred draws of @@\ell@@, the mean and variance of the function everywhere:
;;;
;;; $$\mu(x) = k(x, X)\, (K + \sigma^2 I)^{-1} y, \qquad v(x) = s^2 - k(x, X)\, (K + \sigma^2 I)^{-1} k(X, x)$$
;;;
;;; The band has 90 % of the mixture of all of them.
;; **

;; @@
(defn posterior [length]
  (let [k       (kernel length)
        inverse (m/inverse (add-diagonal (gram k xs xs) (* noise noise)))
        weights (m/mmul inverse ys)]
    (fn [x]
      (let [row (mapv (fn [a] (k x a)) xs)
            v   (- 1.0 (m/dot row (m/mmul inverse row)))]
        [(m/dot row weights) (Math/sqrt (max v 1e-9))]))))

(def posteriors (map posterior (take-nth 40 lengths)))

(defn quantiles-at [x]
  (let [values (sort (mapcat (fn [p] (let [[mu sd] (p x)]
                                       (repeatedly 20 (fn [] (sample* (normal mu sd))))))
                             posteriors))
        at     (fn [q] (nth values (int (* q (dec (count values))))))]
    [x (at 0.05) (at 0.95)]))

(plot/compose
  (band-plot (map quantiles-at grid) :label "90 %" :plot-size 640 :x-title "x" :y-title "f(x)")
  (plot/list-plot (for [x grid] [x (mean (map (fn [p] (first (p x))) posteriors))]) :joined true :label "mean")
  (plot/list-plot (map vector xs ys) :color "#d55e00" :label "measured"))
;; @@

;; **
;;; Between 4 and 6.4 nothing was measured: there the band is as wide as the length scale lets it be.
;;; A value at 5.2 would tell most:
;; **

;; @@
(table-view (for [x [2.5 5.2 8.2]]
              (let [[_ low high] (quantiles-at x)] [x (- high low)]))
            :columns ["x" "width of the band"])
;; @@
