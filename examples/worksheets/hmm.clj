;; gorilla-repl.fileformat = 1

;; **
;;; # A hidden Markov model, three ways
;;;
;;; Somebody walks between three rooms; we only hear how loud the floor creaks. Which room was it at each
;;; step? The model is small enough for an exact answer, so particle methods can be held against it.
;; **

;; @@
(ns worksheets.hmm
  (:require [gorilla-plot.core :as plot])
  (:use [anglican core runtime emit stat]))

(def start [1/3 1/3 1/3])
(def moves [[0.80 0.15 0.05]
            [0.20 0.60 0.20]
            [0.05 0.25 0.70]])
(def loudness [-1.0 0.5 2.0])   ; mean creak in each room
(def noise 0.7)

(def creaks [0.1 -0.9 -1.4 -0.6 0.8 0.4 0.2 1.9 2.6 1.4 2.2 0.3 0.9 -0.2 -1.1 -0.8])

(plot/list-plot creaks :joined true :x-title "step" :y-title "loudness")
;; @@

;; **
;;; ## The program
;;;
;;; One pass over the data: move, observe, remember. Particle filters resample at each `observe`.
;; **

;; @@
(defquery walk [observations]
  (loop [room (sample (discrete start))
         rooms []
         [y & more] observations]
    (observe (normal (nth loudness room) noise) y)
    (let [rooms (conj rooms room)]
      (if (empty? more)
        rooms
        (recur (sample (discrete (nth moves room))) rooms more)))))

(defn marginals
  "The probability of each room at each step, from weighted draws."
  [draws]
  (let [total (reduce + (map (comp exp :log-weight) draws))]
    (for [t (range (count creaks))]
      (for [room (range 3)]
        (/ (reduce + (map (fn [d] (if (= room (nth (:result d) t)) (exp (:log-weight d)) 0.0))
                          draws))
           total)))))

(def by-smc
  (marginals (doall (take 20000 (doquery :smc walk [creaks] :number-of-particles 2000)))))
(def by-pgibbs
  (marginals (doall (take 60000 (doquery :pgibbs walk [creaks] :number-of-particles 50)))))
;; @@

;; **
;;; ## The exact answer
;;;
;;; Forwards and backwards through the chain:
;;;
;;; $$\alpha_t(j) \propto p(y_t \mid j) \sum_i \alpha_{t-1}(i)\, A_{ij}, \qquad \beta_t(i) \propto \sum_j A_{ij}\, p(y_{t+1} \mid j)\, \beta_{t+1}(j)$$
;; **

;; @@
(defn normalized [xs] (let [s (reduce + xs)] (mapv (fn [x] (/ x s)) xs)))
(defn likelihood [y] (mapv (fn [m] (exp (observe* (normal m noise) y))) loudness))

(def forwards
  (reductions (fn [alpha y]
                (let [predicted (fn [j] (reduce + (map (fn [a row] (* a (nth row j))) alpha moves)))]
                  (normalized (map * (likelihood y) (map predicted (range 3))))))
              (normalized (map * start (likelihood (first creaks))))
              (rest creaks)))

(def backwards
  (reverse
    (reductions (fn [beta y]
                  (normalized (map (fn [row] (reduce + (map * row (likelihood y) beta))) moves)))
                [1 1 1]
                (reverse (rest creaks)))))

(def exact (map (fn [a b] (normalized (map * a b))) forwards backwards))
;; @@

;; **
;;; ## Side by side
;;;
;;; Lines are exact, points are estimates: `smc` as circles, `pgibbs` as crosses.
;; **

;; @@
(defn course [estimates room] (map (fn [t p] [t (nth p room)]) (range) estimates))
(def colours ["#0072b2" "#009e73" "#d55e00"])

(apply plot/compose
  (concat
    (for [room (range 3)]
      (plot/list-plot (course exact room) :joined true :color (colours room) :label (str "room " room)
                      :x-title "step" :y-title "probability" :plot-range [:all [0 1]] :plot-size 640))
    (for [room (range 3)]
      (plot/list-plot (course by-smc room) :color (colours room)))
    (for [room (range 3)]
      (plot/list-plot (course by-pgibbs room) :color (colours room) :symbol "cross"))))
;; @@

;; **
;;; How far are the estimates off? The largest difference of any probability:
;; **

;; @@
(defn worst [estimates]
  (apply max (map (fn [a b] (Math/abs (- a b))) (flatten estimates) (flatten exact))))

(table-view [["smc" (worst by-smc)] ["pgibbs" (worst by-pgibbs)]]
            :columns ["engine" "largest error"])
;; @@
