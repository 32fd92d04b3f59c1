;; gorilla-repl.fileformat = 1

;; **
;;; # First steps: a coin
;;;
;;; A worksheet is a file of forms with text between them. Every form is evaluated in its order, and what it
;;; gives is shown below it.
;; **

;; @@
(ns worksheets.first-steps
  (:require [gorilla-plot.core :as plot])
  (:use [anglican core runtime emit stat]))

(+ 1 2)
;; @@

;; @@
(println "what is printed stands apart from the value")
(map (fn [n] (* n n)) (range 10))
;; @@

;; **
;;; ## A query
;;;
;;; How often does the coin fall heads? `sample` draws what we do not know, `observe` says what we have seen.
;; **

;; @@
(defquery coin [flips]
  (let [bias (sample (beta 1 1))]
    (map (fn [side] (observe (flip bias) side)) flips)
    (predict :bias bias)
    (predict :favours-heads (> bias 0.5))
    bias))

(def flips [true true false true true false true])
;; @@

;; **
;;; ## Draws
;;;
;;; `doquery` gives draws without end; take some. Shown as a value, draws are summarised.
;; **

;; @@
(def draws (take 10000 (doquery :lmh coin [flips])))
draws
;; @@

;; **
;;; ## Pictures
;;;
;;; The posterior is a beta distribution here, so that we can see how good the draws are:
;;; $$p(\theta \mid y) = \frac{\theta^{5} (1-\theta)^{2}}{B(6, 3)}$$
;; **

;; @@
(plot/compose
  (plot/histogram (map :result draws) :bins 40 :normalize :probability-density :label "draws"
                  :x-title "bias" :y-title "density")
  (plot/plot (fn [x] (exp (observe* (beta 6 3) x))) [0.001 0.999] :label "exact"))
;; @@

;; @@
(table-view [["draws" (mean (map :result draws)) (std (map :result draws))]
             ["exact" (/ 6 9.0) (Math/sqrt (/ (* 6 3.0) (* 81 10)))]]
            :columns ["" "mean" "standard deviation"])
;; @@

;; **
;;; ## What was sampled, step by step
;; **

;; @@
(grid-view [[(plot/list-plot (take 300 (map :result draws)) :joined true
                             :plot-size 400 :x-title "draw" :y-title "bias")
             (plot/bar-chart ["heads" "tails"]
                             (map (fn [side] (count (filter (partial = side) flips))) [true false])
                             :plot-size 260)]])
;; @@
