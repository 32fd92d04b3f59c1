;; SPDX-License-Identifier: Apache-2.0
;; Multi-object tracking: objects appear, move and disappear; a frame has their positions, in no order,
;; and false alarms.
;; draws: 150000
(def frames
  [[8.98 -1.68 4.48 0.46]
   [9.20 1.95 4.76]
   [5.37 3.64 8.56]
   [4.49 5.36 8.21 5.84]
   [5.24 7.95 6.16]
   [7.25 6.08 5.40]
   [3.61 7.57]
   [8.91 -0.18 5.22]
   [9.93 8.14]
   [3.47 10.99 9.22]
   [13.15 2.24 9.38]
   [0.84 14.15 10.27]
   [15.88 -0.66 11.01]
   [3.88 -1.91 11.62 16.12]
   [12.22 12.91 17.85 -2.87]])

(defm appear []
  {:x (sample (normal 5 6))
   :v (sample (normal 0 0.7))
   :age 0})

(defm move [{:keys [x v age]}]
  (let [v (sample (normal v 0.1))]
    {:x (+ x v) :v v :age (inc age)}))

(defm survivors [objects]
  (filter (fn [object] (sample (flip 0.95))) objects))

(defm frame [objects detections]
  (let [moved (map move (survivors objects))
        births (repeatedly (sample (poisson 0.3)) appear)
        objects (concat moved births)]
    (dorun
     (map (fn [detection]
            (let [which (sample (uniform-discrete 0 (inc (count objects))))]
              (if (= which (count objects))
                (observe (uniform-continuous -20 30) detection)
                (observe (normal (:x (nth objects which)) 0.4) detection))))
          detections))
    (vec objects)))

(defquery tracking [frames]
  (let [objects (reduce frame (vec (repeatedly 3 appear)) frames)]
    (predict :objects (count objects))
    (predict :oldest (reduce max 0 (map :age objects)))))

(def tracking-value [frames])
