;; gorilla-repl.fileformat = 1

;; **
;;; # Three kinds of stars
;;;
;;; The brightness of sixty stars has three humps. A mixture of three normal distributions finds where they
;;; are, how wide and how common, and how sure it is of each star.
;; **

;; @@
(ns worksheets.mixture
  (:require [gorilla-plot.core :as plot])
  (:use [anglican core runtime emit stat]))

(def brightness
  [1.1 1.4 0.8 1.9 1.3 0.4 1.6 1.2 0.9 1.5 1.0 1.7 0.6 1.2 1.4 0.7 1.1 1.8
   4.0 4.6 5.1 3.7 4.4 4.9 4.2 5.4 4.7 3.9 4.5 4.3 5.0 4.8 4.1 3.5 5.6 4.4 4.6 5.2 3.8 4.9
   8.6 9.1 8.9 9.4 8.2 9.0 9.7 8.8 9.3 8.5 9.2 8.7 9.0 9.6 8.4 9.1 8.9 9.5 8.3 9.0 8.8 9.2])

(plot/histogram brightness :bins 30 :x-title "brightness" :y-title "stars")
;; @@

;; **
;;; ## The model
;;;
;;; The means are ordered, @@\mu_1 < \mu_2 < \mu_3@@, so that the names of the components cannot change places
;;; from one draw to the next. Which component a star belongs to is summed out: `mixture` is a distribution
;;; with that density.
;;;
;;; $$p(y_i \mid \theta) = \sum_{k=1}^{3} w_k\, \mathcal{N}(y_i; \mu_k, \sigma_k)$$
;; **

;; @@
(defquery stars [ys]
  (let [means   (sample (ordered (normal 5 4) 3))
        sds     (vec (repeatedly 3 (fn [] (sample (gamma 2 3)))))
        weights (sample (dirichlet [2 2 2]))
        law     (mixture weights (map normal means sds))]
    (map (fn [y] (observe law y)) ys)
    {:means means :sds sds :weights weights}))

(def draws
  (doall (take 2000 (map :result (doquery :nuts stars [brightness] :warmup 500)))))

(defn part [k i] (map (fn [d] (nth (k d) i)) draws))

(table-view (for [i (range 3)]
              [(inc i) (mean (part :means i)) (std (part :means i))
               (mean (part :sds i)) (mean (part :weights i))])
            :columns ["component" "mean" "± sd" "width" "share"])
;; @@

;; **
;;; ## The density of brightness
;;;
;;; Forty draws of the mixture over the data. Where the curves lie together, the data decide; where they
;;; spread, they do not.
;; **

;; @@
(defn density [{:keys [means sds weights]}]
  (fn [x] (reduce + (map (fn [w m s] (* w (exp (observe* (normal m s) x)))) weights means sds))))

(apply plot/compose
  (plot/histogram brightness :bins 30 :normalize :probability-density :plot-size 640
                  :x-title "brightness" :y-title "density")
  (map (fn [d] (plot/plot (density d) [-1 12] :opacity 0.25 :color "#d55e00"))
       (take-nth 50 draws)))
;; @@

;; **
;;; ## To which component does a star belong?
;;;
;;; Near 2.7 the first two components meet. The probability of the first one, averaged over the draws:
;; **

;; @@
(defn first-share [x]
  (mean (map (fn [{:keys [means sds weights]}]
               (let [p (map (fn [w m s] (* w (exp (observe* (normal m s) x)))) weights means sds)]
                 (/ (first p) (reduce + p))))
             (take-nth 10 draws))))

(plot/plot first-share [0 5] :plot-points 60 :x-title "brightness" :y-title "P(first component)")
;; @@

;; **
;;; ## Do the means depend on each other?
;; **

;; @@
(plot/list-plot (map vector (part :means 0) (part :means 1)) :opacity 0.3
                :x-title "first mean" :y-title "second mean" :aspect-ratio 1.2)
;; @@
