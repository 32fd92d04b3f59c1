;; gorilla-repl.fileformat = 1

;; **
;;; # Searching by inference: a puzzle of clauses
;;;
;;; Nine guests, and a list of conditions of three parts each: "Ann comes, or Ben does not, or Eve comes". Is
;;; there a party that meets them all? This is 3-SAT. A program that draws a party at random and observes
;;; that all conditions hold has the solutions as its posterior.
;; **

;; @@
(ns worksheets.satisfiability
  (:require [gorilla-plot.core :as plot])
  (:use [anglican core runtime emit stat]))

(def guests ["Ann" "Ben" "Cat" "Dan" "Eve" "Fay" "Gus" "Hal" "Ida"])

;; Guests are numbered from 1; a minus sign means "does not come".
(def clauses
  [[1 2 3] [-1 -2 4] [-3 5 6] [2 -4 7] [-5 -6 8] [1 -7 -8] [3 -8 9] [-2 -9 4] [6 7 -1]
   [-3 -7 2] [5 8 -9] [-4 -5 1] [9 -6 3] [-1 8 -3] [2 5 7] [-8 -9 6] [4 -2 -7] [1 9 -4]
   [-6 -5 -2] [7 3 8] [-9 -1 5] [6 -8 -4] [2 9 -3] [-7 4 -6] [8 1 -5] [-3 -5 -8]])

(defm holds? [clause party]
  (some (fn [part] (= (> part 0) (nth party (dec (Math/abs part))))) clause))

(count clauses)
;; @@

;; **
;;; ## All at once
;;;
;;; There are 512 parties. Counting all of them is possible here, and gives us the truth to compare with.
;; **

;; @@
(def all-parties
  (for [k (range 512)] (vec (for [i (range 9)] (= 1 (mod (quot k (int (Math/pow 2 i))) 2))))))

(def solutions (filter (fn [party] (every? (fn [c] (holds? c party)) clauses)) all-parties))
(def is-solution (set solutions))

(count solutions)
;; @@

;; @@
(let [broken (map (fn [party] (count (remove (fn [c] (holds? c party)) clauses))) all-parties)]
  (plot/histogram broken :x-title "conditions that a random party breaks" :y-title "parties"))
;; @@

;; **
;;; ## As a program
;;;
;;; Guests decide one after another, and a condition is observed as soon as all of its guests have decided. A
;;; particle filter then drops hopeless parties early, which is what a solver does when it backtracks.
;;; The observation is soft: a broken condition costs a factor of @@e^{-\beta}@@, so that there is a slope to climb.
;; **

;; @@
(defquery party [beta]
  (loop [decided []]
    (let [n (count decided)]
      (doseq [c clauses :when (= n (apply max (map (fn [p] (Math/abs p)) c)))]
        (factor (if (holds? c decided) 0.0 (- beta))))
      (if (= n 9)
        decided
        (recur (conj decided (sample (flip 0.5))))))))

(defn distinct-solutions [draws]
  (count (filter is-solution (distinct (map :result draws)))))

(table-view
  (for [beta [0 1 2 4 8]]
    (let [draws (doall (take 2000 (doquery :smc party [(double beta)] :number-of-particles 500)))
          right (filter (comp is-solution :result) draws)
          share (/ (reduce + (map (comp exp :log-weight) right))
                   (reduce + (map (comp exp :log-weight) draws)))]
      [beta share (distinct-solutions draws)]))
  :columns ["beta" "weight of solutions" "solutions found"])
;; @@

;; **
;;; With @@\beta = 0@@ nothing is observed, and the weight of solutions is their number over 512. With 8 nearly
;;; everything that is left is a solution.
;;;
;;; ## Who comes?
;;;
;;; Over all solutions, how often is each guest there? Bars are exact, points are the program's.
;; **

;; @@
(def draws (doall (take 10000 (doquery :smc party [12.0] :number-of-particles 1000))))

(defn attendance [i]
  (/ (reduce + (map (fn [d] (if (nth (:result d) i) (exp (:log-weight d)) 0.0)) draws))
     (reduce + (map (comp exp :log-weight) draws))))

(plot/compose
  (plot/bar-chart guests
                  (for [i (range 9)]
                    (mean (map (fn [s] (if (nth s i) 1.0 0.0)) solutions)))
                  :plot-range [:all [0 1.05]] :y-title "share of the solutions" :opacity 0.5)
  (plot/list-plot (map attendance (range 9)) :symbol-size 90))
;; @@

;; **
;;; ## One of the solutions
;; **

;; @@
(let [best (:result (first (filter (comp is-solution :result) draws)))]
  (table-view (map (fn [guest comes] [guest (if comes "comes" "stays at home")]) guests best)))
;; @@
