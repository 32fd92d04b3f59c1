;; Plots are maps: data and options, under the names that Gorilla's library has.
(ns plots
  (:require [gorilla-plot.core :as plot]
            [gorilla-repl.table :as table])
  (:use [gorilla-plot core]))
(plot/list-plot [3 4] :joined true) ;; expect: {:chancel/view :list-plot, :data [[0 3] [1 4]], :options {:joined true}}
(plot/list-plot (map (fn [x] [x (* x x)]) (range 3))) ;; expect: {:chancel/view :list-plot, :data [[0 0] [1 1] [2 4]], :options {}}
(gorilla-plot.core/list-plot {1 2}) ;; expect: {:chancel/view :list-plot, :data [[1 2]], :options {}}
(histogram [1 2.5] :colour "red" :normalise :probability) ;; expect: {:chancel/view :histogram, :data [1 2.5], :options {:color "red", :normalize :probability}}
(bar-chart (range) [3 1]) ;; expect: {:chancel/view :bar-chart, :data [[0 3] [1 1]], :options {}}
(:data (plot/plot (fn [x] (* 2 x)) [0 1] :plot-points 3)) ;; expect: [[0.0 0.0] [0.5 1.0] [1.0 2.0]]
(count (:data (plot/plot inc [0 1]))) ;; expect: 100
(map :chancel/view (:plots (compose (list-plot [1]) (histogram [1])))) ;; expect: (:list-plot :histogram)
(:data (band-plot (map (fn [x] (list x (- x 1) (+ x 1))) [1 2]))) ;; expect: [[1 0 2] [2 1 3]]
(get-in (assoc-in (list-plot [1]) [:options :color] "blue") [:options :color]) ;; expect: "blue"
(list-plot []) ;; expect: {:chancel/view :list-plot, :data [], :options {}}
