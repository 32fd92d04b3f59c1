;; gorilla-repl.fileformat = 1

;; **
;;; # Bumpers under a falling ball
;;;
;;; A ball is dropped at the left and shall land in a basket at the right. Where must bumpers hang? The
;;; program simulates the fall, and says in one `observe` where the ball should come down. Inference runs the
;;; simulation backwards: from the end to places of bumpers that lead there. How many bumpers there are is
;;; open, too.
;; **

;; @@
(ns worksheets.bumpers
  (:require [gorilla-plot.core :as plot])
  (:use [anglican core runtime emit stat]))

(def gravity 10.0)
(def step 0.03)
(def basket 8.0)
(def radius 0.6)
;; @@

;; **
;;; ## The simulation
;;;
;;; The ball starts at @@(1, 9)@@ with a little speed to the right. When it comes close to a bumper it is
;;; reflected, and loses some of its speed:
;;;
;;; $$v' = \rho\left(v - 2 (v \cdot n)\, n\right), \qquad \rho = 0.9$$
;; **

;; @@
(defm bounce [[x y vx vy] [bx by]]
  (let [dx (- x bx), dy (- y by)
        distance (max 1e-9 (sqrt (+ (* dx dx) (* dy dy))))
        nx (/ dx distance), ny (/ dy distance)
        towards (+ (* vx nx) (* vy ny))]
    (if (and (< distance radius) (< towards 0))
      [x y (* 0.9 (- vx (* 2 towards nx))) (* 0.9 (- vy (* 2 towards ny)))]
      [x y vx vy])))

(defm fall [bumpers]
  (loop [[x y vx vy] [1.0 9.0 0.5 0.0], path []]
    (if (or (< y 0) (> (count path) 300))
      (conj path [x (max 0 y)])
      (let [moved [(+ x (* step vx)) (+ y (* step vy)) vx (- vy (* step gravity))]]
        (recur (reduce bounce moved bumpers) (conj path [x y]))))))

(defn picture [bumpers options]
  (let [path (fall bumpers)]
    (apply plot/compose
      (remove nil?
        [(apply plot/list-plot path :joined true :plot-range [[0 10] [0 10]] :aspect-ratio 1 options)
         (when (seq bumpers)
           (plot/list-plot bumpers :symbol-size 500 :opacity 0.6 :color "#d55e00"))
         (plot/list-plot [[basket 0.15]] :symbol "square" :symbol-size 300 :color "#009e73")]))))

(grid-view [[(picture [] [:plot-size 260]) (picture [[1.6 4.5]] [:plot-size 260])]])
;; @@

;; **
;;; Without bumpers the ball falls almost straight down; one of them alone throws it somewhere.
;;;
;;; ## The query
;;;
;;; One to four bumpers, anywhere in the middle. The ball should land within about 0.3 of the basket: that
;;; is not a measurement but a wish, written as one.
;; **

;; @@
(defquery place-bumpers [target]
  (let [n (+ 1 (sample (poisson 0.7)))
        bumpers (vec (repeatedly (min n 4)
                                 (fn [] [(sample (uniform-continuous 0.5 9.5))
                                         (sample (uniform-continuous 1 8))])))
        [x _] (last (fall bumpers))]
    (observe (normal x 0.3) target)
    {:bumpers bumpers :landing x}))

(def draws
  (doall (take 4000 (take-nth 10 (map :result (drop 4000 (doquery :lmh place-bumpers [basket])))))))

(plot/histogram (map :landing draws) :bins 40 :normalize :probability-density
                :x-title "where the ball lands" :y-title "density")
;; @@

;; **
;;; ## Some solutions
;; **

;; @@
(grid-view (partition 3 (map (fn [d] (picture (:bumpers d) [:plot-size 260]))
                             (take 6 (take-nth 650 draws)))))
;; @@

;; **
;;; ## How many bumpers?
;;;
;;; The prior prefers one. With one alone it is hard to get so far to the right, so the wish moves the
;;; distribution upwards. A chain changes the number of bumpers only now and then; independent draws from
;;; the prior, weighted by how well they land, answer this question better.
;; **

;; @@
(def posterior
  (empirical-distribution
    (collect-by (comp count :bumpers :result)
                (take 60000 (doquery :importance place-bumpers [basket])))))

(def prior
  (let [p (mapv (fn [k] (exp (observe* (poisson 0.7) k))) (range 3))]
    (conj p (- 1 (reduce + p)))))

(table-view (map (fn [k p] [k p (get posterior k 0.0)]) [1 2 3 4] prior)
            :columns ["bumpers" "prior" "posterior"])
;; @@
