;; gorilla-repl.fileformat = 1

;; **
;;; # How many newspapers to buy
;;;
;;; A stall buys newspapers in the morning for 0.60 each and sells them for 1.50; what is left at night is waste.
;;; Demand is uncertain, and only two weeks of sales are known: on days when everything was sold, we know only
;;; that demand was at least that large. What number is best, and what would a forecast be worth?
;; **

;; @@
(ns worksheets.decision
  (:require [gorilla-plot.core :as plot])
  (:use [anglican core runtime emit stat]))

(def cost 0.60)
(def price 1.50)

;; [bought sold]; sold = bought: there may have been more demand
(def days [[40 36] [40 40] [40 31] [40 38] [40 40] [45 45]
           [45 39] [45 41] [45 45] [45 34] [45 43] [45 37]])

(plot/compose
  (plot/bar-chart (range 1 13) (map first days) :color "#bbbbbb" :label "bought" :x-title "day")
  (plot/bar-chart (range 1 13) (map second days) :label "sold"))
;; @@

;; **
;;; ## Demand
;;;
;;; Demand varies more than a Poisson distribution allows, since its mean changes from day to day: a gamma
;;; mixture of Poissons, which is a negative binomial distribution. A sold-out day contributes the probability
;;; of at least as much demand:
;;;
;;; $$P(D \geq n) = 1 - \sum_{k=0}^{n-1} P(D = k)$$
;; **

;; @@
(defm demand-law [mean spread]
  ;; the variance is mean + mean^2 / spread
  (neg-binomial mean spread))

(defm log-at-least [law n]
  (let [below (reduce + (map (fn [k] (exp (observe* law k))) (range n)))]
    (log (max 1e-12 (- 1 below)))))

(defquery demand [days]
  (let [mean   (sample (gamma 8 0.2))
        spread (sample (gamma 2 0.05))
        law    (demand-law mean spread)]
    (map (fn [[bought sold]]
           (if (< sold bought)
             (observe law sold)
             (factor (log-at-least law bought))))
         days)
    {:mean mean :spread spread}))

(def draws (doall (take 1500 (take-nth 4 (map :result (drop 2000 (doquery :rmh demand [days])))))))

(defn small-histogram [xs title] (plot/histogram xs :bins 30 :plot-size 320 :x-title title))

(grid-view [[(small-histogram (map :mean draws) "mean demand")
             (small-histogram (map (comp log :spread) draws) "log of spread")]])
;; @@

;; **
;;; ## Tomorrow's demand, and the profit of each decision
;;;
;;; For each draw of the parameters one day of demand: together they are the predictive distribution, with what
;;; we do not know and what varies from day to day in it.
;; **

;; @@
(defn simulate [d n] (repeatedly n (fn [] (sample* (demand-law (:mean d) (:spread d))))))

(def tomorrow (doall (mapcat (fn [d] (simulate d 4)) draws)))

(defn profit [bought demand] (- (* price (min bought demand)) (* cost bought)))
(defn expected-profit [bought] (mean (map (fn [d] (profit bought d)) tomorrow)))

(plot/histogram tomorrow :normalize :probability :x-title "demand tomorrow" :y-title "probability")
;; @@

;; @@
(def choices (range 20 81))
(def best (apply max-key expected-profit choices))

(plot/compose
  (plot/list-plot (map (fn [n] [n (expected-profit n)]) choices) :joined true
                  :x-title "newspapers bought" :y-title "expected profit")
  (plot/list-plot [[best (expected-profit best)]] :symbol-size 120))
;; @@

;; **
;;; The rule of the textbook says: buy the quantile @@(price - cost)/price = 0.6@@ of the predictive distribution.
;;; Both ways should agree up to chance, for the curve is flat at its top.
;; **

;; @@
(def by-rule (nth (vec (sort tomorrow)) (int (* 0.6 (count tomorrow)))))

(table-view [["best of the curve" best (expected-profit best)]
             ["quantile 0.6" by-rule (expected-profit by-rule)]
             ["as before: 45" 45 (expected-profit 45)]]
            :columns ["decision" "newspapers" "expected profit"])
;; @@

;; **
;;; ## What is knowing worth?
;;;
;;; Who knew tomorrow's demand would buy exactly that. The difference of expected profits is what a perfect
;;; forecast may cost at most. Who knew the mean and the spread, but not the day, would gain much less:
;; **

;; @@
(def with-forecast (mean (map (fn [d] (profit d d)) tomorrow)))

(def with-parameters
  (mean (for [d (take-nth 30 draws)]
          (let [sold  (simulate d 400)
                order (nth (vec (sort sold)) (int (* 0.6 (count sold))))]
            (mean (map (fn [x] (profit order x)) sold))))))

(plot/bar-chart ["as it is" "parameters known" "demand known"]
                [(expected-profit best) with-parameters with-forecast]
                :y-title "expected profit")
;; @@
