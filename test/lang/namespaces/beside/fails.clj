(ns beside.fails)
(def x (first 5))
