;; A namespace form with the usual libraries, known or not.
(ns worksheet
  (:require [gorilla-plot.core :as plot]
            [clojure.core.matrix :as m]
            [clojure.string :as string])
  (:use [anglican core runtime emit stat]))
(string/upper-case "ok") ;; expect: "OK"
(+ 1 2) ;; expect: 3
