(ns beside.numbers)
(def three 3)
(defn double-it [x] (* 2 x))
(def loaded (do (println "numbers are loaded") true))
