;; A library of plots that is not here stands for Gorilla's.
(ns program (:require [plotting :as plot] [my.plot-lib :as p]))
(:chancel/view (plot/histogram [1 2 3])) ;; expect: :histogram
(:chancel/view (p/list-plot [1 2 3])) ;; expect: :list-plot
