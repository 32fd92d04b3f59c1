;; Loaded by tests; not a test itself.
(ns beside.shapes
  (:require [beside.numbers :as n]))
(defrecord Circle [r])
(defprotocol Shape (area [this]))
(extend-protocol Shape
  Circle (area [c] (* n/three (:r c) (:r c))))
(defn map [f c] [:own-map (f c)])
(defn twice [x] (n/double-it x))
(defn- hidden [x] x)
(defn shown [x] (hidden x))
(defmacro unless [test & body] `(if ~test nil (do ~@body)))
(defmacro doubled [x] `(twice ~x))
(defmulti kind :kind)
(defmethod kind :a [x] "a")
(def ^:dynamic *scale* 10)
(defn scaled [x] (* *scale* x))
(defquery coin [p] (sample (flip p)))
(defdist one [] (sample* [this] 1) (observe* [this v] (if (= v 1) 0.0 Double/NEGATIVE_INFINITY)))
