;; SPDX-License-Identifier: Apache-2.0
;; Plots as data: a map with the kind of plot, its points and its options. Reports turn them into text or pictures.

(defn %options [options]
  (apply hash-map options))

(defn histogram
  "A histogram of numbers."
  [data & options]
  {:plot :histogram :data (vec data) :options (%options options)})

(defn list-plot
  "Points: pairs [x y], or numbers at 0, 1, 2 and so on."
  [data & options]
  (let [v (vec data)]
    {:plot :list-plot
     :data (if (number? (first v))
             (mapv vector (range (count v)) v)
             (mapv vec v))
     :options (%options options)}))

(defn bar-chart
  "Bars of the values over the categories."
  [categories values & options]
  {:plot :bar-chart :data (mapv vector categories values) :options (%options options)})

(defn plot
  "The graph of a function between two numbers."
  [f bounds & options]
  (let [settings (%options options)
        low (double (first bounds))
        high (double (second bounds))
        n (get settings :plot-points 100)
        step (/ (- high low) (max 1 (dec n)))]
    {:plot :function
     :data (mapv (fn [i] (let [x (+ low (* i step))] [x (f x)])) (range n))
     :options settings}))

(defn compose
  "Several plots in one."
  [& plots]
  {:plot :compose :plots (vec plots)})

(defn table-view
  "A table of rows."
  [rows & options]
  {:plot :table :data (mapv vec rows) :options (%options options)})
