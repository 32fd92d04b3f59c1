;; gorilla-repl.fileformat = 1

;; **
;;; # Following a train through fog
;;;
;;; A train moves along a line at nearly constant speed. Each second a radar gives its place with an error of
;;; two hundred metres. Where is it, and how fast? The model is linear and normal, so the Kalman filter is exact, and
;;; a particle filter can be compared with it. With draws put off (`:delayed`) the particle filter *is* the
;;; Kalman filter: one particle suffices.
;; **

;; @@
(ns worksheets.kalman
  (:require [gorilla-plot.core :as plot]
            [clojure.core.matrix :as m])
  (:use [anglican core runtime emit stat]))

(def jolt 0.03)      ; change of place in a second beyond the speed (km), standard deviation
(def push 0.02)      ; change of speed (km/s)
(def error 0.2)      ; of the radar (km)

(def radar [0.07 0.02 0.41 0.13 0.58 0.47 0.91 0.66 0.72 1.19 0.94 1.38 1.07 1.62 1.29
            1.44 1.83 1.55 1.92 1.61 2.04 1.77 1.69 2.08 1.95])

(plot/list-plot radar :x-title "seconds" :y-title "place (km)")
;; @@

;; **
;;; ## The model
;;;
;;; $$x_t \sim \mathcal{N}(x_{t-1} + v_{t-1}, q_x), \qquad v_t \sim \mathcal{N}(v_{t-1}, q_v), \qquad y_t \sim \mathcal{N}(x_t, r)$$
;;;
;;; Place and speed are drawn together, as one vector.
;; **

;; @@
(def jitter [[(* jolt jolt) 0] [0 (* push push)]])

(defquery train [ys]
  (loop [state (sample (mvn [0 0] [[1 0] [0 0.04]])), [y & more] ys, path []]
    (let [[x v] state
          path  (conj path x)]
      (observe (normal x error) y)
      (if (empty? more)
        {:path path :place x :speed v}
        (recur (sample (mvn [(+ x v) v] jitter)) more path)))))
;; @@

;; **
;;; ## The Kalman filter
;;;
;;; Mean and covariance of @@(x_t, v_t)@@ given @@y_1, \ldots, y_t@@, and the evidence @@\log p(y)@@ on the way.
;; **

;; @@
(defn update-with [{:keys [mean cov evidence]} y]
  (let [[[a b] [c d]] cov
        s    (+ a (* error error))
        gain [(/ a s) (/ c s)]
        off  (- y (first mean))]
    {:mean     (mapv (fn [m g] (+ m (* g off))) mean gain)
     :cov      [[(- a (* (gain 0) a)) (- b (* (gain 0) b))]
                [(- c (* (gain 1) a)) (- d (* (gain 1) b))]]
     :evidence (+ evidence (observe* (normal (first mean) (Math/sqrt s)) y))}))

(defn predict-next [{[x v] :mean cov :cov evidence :evidence}]
  (let [f [[1 1] [0 1]]]
    {:mean [(+ x v) v]
     :cov (m/add (m/mmul f (m/mmul cov (m/transpose f))) jitter)
     :evidence evidence}))

(def filtered
  (reductions (fn [state y] (update-with (predict-next state) y))
              (update-with {:mean [0 0] :cov [[1 0] [0 0.04]] :evidence 0.0} (first radar))
              (rest radar)))

(def exact (last filtered))

(plot/compose
  (band-plot (map-indexed (fn [t {[x _] :mean [[a _] _] :cov}]
                            [t (- x (* 1.645 (Math/sqrt a))) (+ x (* 1.645 (Math/sqrt a)))])
                          filtered)
             :label "90 %" :plot-size 640 :x-title "seconds" :y-title "place (km)")
  (plot/list-plot (map (comp first :mean) filtered) :joined true :label "filtered")
  (plot/list-plot radar :color "#d55e00" :label "radar"))
;; @@

;; **
;;; ## Particles
;;;
;;; The same question to a particle filter, as it is and with draws put off.
;; **

;; @@
(defn summary [engine & options]
  (let [draws (doall (take 10000 (apply doquery engine train [radar] options)))
        w     (map (comp exp :log-weight) draws)
        total (reduce + w)
        mean-of (fn [k] (/ (reduce + (map (fn [d wi] (* wi (k (:result d)))) draws w)) total))]
    {:place (mean-of :place) :speed (mean-of :speed) :evidence (log-marginal draws) :draws draws}))

(def plain (summary :smc :number-of-particles 1000))
(def delayed (summary :smc :number-of-particles 1 :delayed true))

(table-view
  [["Kalman filter" (first (:mean exact)) (second (:mean exact)) (:evidence exact)]
   ["smc, 1000 particles" (:place plain) (:speed plain) (:evidence plain)]
   ["smc, 1 particle, delayed" (:place delayed) (:speed delayed) (:evidence delayed)]]
  :columns ["method" "place (km)" "speed (km/s)" "log evidence"])
;; @@

;; **
;;; ## Looking back
;;;
;;; Draws of the whole path are smoothed: they know what came later. Thirty of them, from the delayed filter:
;; **

;; @@
(apply plot/compose
  (concat
    (map (fn [d] (plot/list-plot (:path (:result d)) :joined true :opacity 0.25 :color "#0072b2" :plot-size 640
                                 :x-title "seconds" :y-title "place (km)"))
         (take 30 (:draws delayed)))
    [(plot/list-plot radar :color "#d55e00")]))
;; @@

;; @@
(plot/histogram (map (comp :speed :result) (:draws delayed)) :bins 40 :normalize :probability-density
                :x-title "speed now (km/s)" :y-title "density")
;; @@
