;; gorilla-repl.fileformat = 1

;; **
;;; # How many groups are there?
;;;
;;; A mixture with a fixed number of components has to be told that number. The Chinese restaurant process
;;; lets the data decide: customers sit down one after another, at a table with a probability proportional to
;;; the number of people there, or at a new one with a probability proportional to @@\alpha@@.
;; **

;; @@
(ns worksheets.crp-mixture
  (:require [gorilla-plot.core :as plot])
  (:use [anglican core runtime emit stat]))

(def points [-5.1 -4.7 -5.6 -4.9 -5.3  0.2 -0.4 0.5 0.1  3.9 4.4 4.1 3.6  5.8])

(plot/list-plot (map (fn [x] [x 0]) points)
                :plot-range [[-8 8] [-1 1]] :aspect-ratio 4 :x-title "measurement")
;; @@

;; **
;;; ## The prior over tables
;;;
;;; Before any data: how many tables do fourteen customers take?
;; **

;; @@
(defquery seats [n alpha]
  (loop [process (CRP alpha), i 0, taken #{}]
    (if (= i n)
      (count taken)
      (let [table (sample (produce process))]
        (recur (absorb process table) (inc i) (conj taken table))))))

(defn table-counts [alpha]
  (let [counts (frequencies (map :result (take 5000 (doquery :importance seats [14 alpha]))))]
    (plot/bar-chart (range 1 11) (map (fn [k] (/ (get counts k 0) 5000.0)) (range 1 11))
                    :plot-size 300 :x-title (str "tables, alpha = " alpha))))

(grid-view [(map table-counts [0.3 1.0 3.0])])
;; @@

;; **
;;; ## The mixture
;;;
;;; Every table has a mean of its own, made when the first customer sits down (`mem`). Measurements at a table
;;; lie around its mean.
;; **

;; @@
(defquery groups [ys]
  (let [mean-of (mem (fn [table] (sample (normal 0 6))))]
    (loop [process (CRP 1.0), seats [], [y & more] ys]
      (let [table (sample (produce process))]
        (observe (normal (mean-of table) 0.5) y)
        (if (empty? more)
          (conj seats table)
          (recur (absorb process table) (conj seats table) more))))))

(def draws
  (doall (take 60000 (doquery :smc groups [points] :number-of-particles 20000))))

(def weighted (collect-by (comp count set :result) draws))

(let [p (into (sorted-map) (empirical-distribution weighted))]
  (plot/bar-chart (keys p) (vals p) :x-title "groups" :y-title "probability"))
;; @@

;; **
;;; ## Who is with whom?
;;;
;;; Names of tables mean nothing, but whether two points share one does. Dark squares: certainly together.
;; **

;; @@
(def some-draws (take-nth 10 draws))
(def total (reduce + (map (comp exp :log-weight) some-draws)))

(defn share-a-table [i j]
  (/ (reduce + (map (fn [{seats :result w :log-weight}]
                      (if (= (nth seats i) (nth seats j)) (exp w) 0.0))
                    some-draws))
     total))

(def together
  (for [i (range (count points))]
    (for [j (range (count points))] (share-a-table i j))))

(image-view together :alt "probability that two points share a group")
;; @@

;; **
;;; The last point, 5.8, may have a group of its own or belong to those around 4:
;; **

;; @@
(table-view [["with the point at 4.4" (share-a-table 13 10)]
             ["with the point at 0.2" (share-a-table 13 5)]]
            :columns ["the point at 5.8 is" "probability"])
;; @@
