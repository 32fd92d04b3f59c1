;; gorilla-repl.fileformat = 1

;; **
;;; # A Poisson draw from uniform ones, and its trace
;;;
;;; A Poisson number can be drawn with uniform random numbers alone (Knuth): multiply them until the product
;;; falls below @@e^{-\lambda}@@, and count. A program that does so makes a random number of draws: how
;;; many there are depends on what they were. Inference has to cope with traces of different length, and this one
;;; has an exact answer to hold it against.
;; **

;; @@
(ns worksheets.poisson-trace
  (:require [gorilla-plot.core :as plot])
  (:use [anglican core runtime emit stat]))

(with-primitive-procedures []
  (defm knuth [lambda]
    (let [bound (exp (- lambda))]
      (loop [k 0, product (sample (uniform-continuous 0 1))]
        (if (< product bound)
          k
          (recur (inc k) (* product (sample (uniform-continuous 0 1)))))))))
;; @@

;; **
;;; ## Is it Poisson?
;;;
;;; Twenty thousand draws with @@\lambda = 4@@ as bars, the probabilities as points.
;; **

;; @@
(defquery draw [lambda] (knuth lambda))

(def sampled (frequencies (map :result (take 20000 (doquery :importance draw [4])))))

(plot/compose
  (plot/bar-chart (range 13) (map (fn [k] (/ (get sampled k 0) 20000.0)) (range 13)) :opacity 0.5
                  :x-title "k" :y-title "probability")
  (plot/list-plot (map (fn [k] (exp (observe* (poisson 4) k))) (range 13)) :symbol-size 70))
;; @@

;; **
;;; ## Turned around
;;;
;;; Now the rate is unknown, with a gamma prior, and the count that the uniform draws lead to was seen through a noisy
;;; instrument: it is right with probability 0.8, and one too high or too low otherwise. We read 6.
;; **

;; @@
(defquery rate [reading]
  (let [lambda (sample (gamma 3 0.5))
        k      (knuth lambda)]
    (observe (categorical {(dec k) 0.1 k 0.8 (inc k) 0.1}) reading)
    {:lambda lambda :k k}))

(def draws (doall (take 40000 (map :result (drop 5000 (doquery :lmh rate [6]))))))

(table-view [[(mean (map :lambda draws)) (std (map :lambda draws))]]
            :columns ["mean of lambda" "standard deviation"])
;; @@

;; **
;;; ## The exact posterior
;;;
;;; Given @@k@@ the rate has a gamma distribution with shape @@3 + k@@ and rate @@0.5 + 1@@; summed over @@k@@ it is a
;;; mixture of three, whose weights are negative binomial probabilities times those of the instrument.
;; **

;; @@
(defn log-predictive [k]   ; of k under the gamma prior
  (- (+ (log-gamma-fn (+ 3 k)) (* 3 (log 0.5)))
     (+ (log-gamma-fn 3) (log-gamma-fn (inc k)) (* (+ 3 k) (log 1.5)))))

(def weights
  (let [w (map (fn [k p] (* p (exp (log-predictive k)))) [5 6 7] [0.1 0.8 0.1])]
    (map (fn [x] (/ x (reduce + w))) w)))

(defn exact-density [x]
  (reduce + (map (fn [k w] (* w (exp (observe* (gamma (+ 3 k) 1.5) x)))) [5 6 7] weights)))

(plot/compose
  (plot/histogram (map :lambda draws) :bins 50 :normalize :probability-density :label "lmh"
                  :x-title "lambda" :y-title "density" :plot-size 560)
  (plot/plot exact-density [0.1 18] :label "exact"))
;; @@

;; @@
(def exact-mean (reduce + (map (fn [k w] (* w (/ (+ 3 k) 1.5))) [5 6 7] weights)))

(def found (frequencies (map :k draws)))

(table-view (map (fn [k w] [k w (/ (get found k 0) (double (count draws)))]) [5 6 7] weights)
            :columns ["k" "exact" "lmh"])
;; @@

;; **
;;; ## The chain
;;;
;;; Where @@k@@ changes, the trace gets longer or shorter by some draws.
;; **

;; @@
(plot/list-plot (take 400 (map :k draws)) :joined true
                :x-title "step" :y-title "k" :plot-size 640 :aspect-ratio 4)
;; @@

;; @@
[exact-mean (mean (map :lambda draws))]
;; @@
