;; gorilla-repl.fileformat = 1

;; **
;;; # A line through points, some of which lie
;;;
;;; Twelve sunflowers were measured, one a week. Two entries in the notebook look odd: somebody may have
;;; written down the wrong plant. A least-squares line has to run after them; a model that knows of such
;;; mistakes does not.
;; **

;; @@
(ns worksheets.regression
  (:require [gorilla-plot.core :as plot])
  (:use [anglican core runtime emit stat]))

(def weeks (vec (range 1 13)))
(def heights [12.1 21.4 27.6 38.9 47.2 54.8 99.0 73.1 80.3 31.0 99.7 107.9])

(plot/list-plot (map vector weeks heights) :x-title "week" :y-title "height (cm)")
;; @@

;; **
;;; ## The model
;;;
;;; Height grows by a constant amount each week, with a small measurement error. With probability
;;; @@\epsilon@@ an entry is a blunder, whose error is ten times as wide:
;;;
;;; $$y_i \sim (1-\epsilon)\, \mathcal{N}(\alpha + \beta x_i, \sigma) + \epsilon\, \mathcal{N}(\alpha + \beta x_i, 10\sigma)$$
;;;
;;; Whether entry @@i@@ is a blunder is a draw of its own, so that we can ask for it afterwards.
;; **

;; @@
(defquery line [xs ys]
  (let [intercept (sample (normal 0 20))
        slope     (sample (normal 0 20))
        sigma     (sample (gamma 2 0.5))
        epsilon   (sample (beta 1 9))
        blunders  (mapv (fn [x y]
                          (let [blunder (sample (flip epsilon))]
                            (observe (normal (+ intercept (* slope x))
                                             (if blunder (* 10 sigma) sigma))
                                     y)
                            blunder))
                        xs ys)]
    {:intercept intercept :slope slope :sigma sigma :blunders blunders}))

(def draws
  (->> (doquery :nuts line [weeks heights] :warmup 1000)
       (map :result)
       (take 4000)
       doall))

(table-view (for [k [:intercept :slope :sigma]]
              [(name k) (mean (map k draws)) (std (map k draws))])
            :columns ["parameter" "mean" "standard deviation"])
;; @@

;; **
;;; ## The line and its uncertainty
;;;
;;; For each week the height that the line predicts, as an interval of 90 %. In grey the line of least
;;; squares: both odd entries pull at it.
;; **

;; @@
(defn quantile-of [p xs]
  (nth (vec (sort xs)) (int (* p (dec (count xs))))))

(defn line-at [x]
  (map (fn [d] (+ (:intercept d) (* (:slope d) x))) draws))

(def least-squares
  (let [mx (mean weeks) my (mean heights)
        slope (/ (reduce + (map (fn [x y] (* (- x mx) (- y my))) weeks heights))
                 (reduce + (map (fn [x] (* (- x mx) (- x mx))) weeks)))]
    (fn [x] (+ my (* slope (- x mx))))))

(plot/compose
  (band-plot (for [x (range 0 13.5 0.5)]
               [x (quantile-of 0.05 (line-at x)) (quantile-of 0.95 (line-at x))])
             :label "90 % of the lines" :x-title "week" :y-title "height (cm)")
  (plot/list-plot (for [x (range 0 13.5 0.5)] [x (mean (line-at x))]) :joined true :label "mean")
  (plot/plot least-squares [0 13] :color "#999999" :label "least squares")
  (plot/list-plot (map vector weeks heights) :color "#d55e00" :label "data"))
;; @@

;; **
;;; ## Which entries are blunders?
;;;
;;; The share of draws in which an entry is one is its posterior probability.
;; **

;; @@
(plot/bar-chart weeks
                (for [i (range 12)]
                  (mean (map (fn [d] (if (nth (:blunders d) i) 1.0 0.0)) draws)))
                :x-title "week" :y-title "probability of a blunder" :plot-range [:all [0 1]])
;; @@

;; **
;;; The entries of weeks 7 and 10 are found out, and the growth per week comes without them:
;; **

;; @@
(plot/histogram (map :slope draws) :bins 40 :normalize :probability-density
                :x-title "growth (cm per week)" :y-title "density")
;; @@
