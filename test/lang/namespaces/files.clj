;; Other files: definitions keep to their namespaces, aliases and references find them.
;; expect-out: numbers are loaded
(ns main-program
  (:require [beside.shapes :as s :refer [twice shown ->Circle] :rename {twice times-two}]
            [beside.my-lib]
            [beside.numbers :as n]))
(s/area (->Circle 2)) ;; expect: 12
(s/area (s/map->Circle {:r 1})) ;; expect: 3
(times-two 4) ;; expect: 8
(beside.shapes/twice 5) ;; expect: 10
(beside.my-lib/f) ;; expect: :with-underscore
(s/map inc 1) ;; expect: [:own-map 2]
(map inc [1 2]) ;; expect: (2 3)
(shown 7) ;; expect: 7
(s/unless false 1 2) ;; expect: 2
(s/doubled 21) ;; expect: 42
(s/scaled 2) ;; expect: 20
(binding [s/*scale* 3] (s/scaled 2)) ;; expect: 6
(defmethod s/kind :b [x] "b")
[(s/kind {:kind :a}) (s/kind {:kind :b})] ;; expect: ["a" "b"]
(defn twice [x] [:mine x])
(twice 1) ;; expect: [:mine 1]
(s/twice 1) ;; expect: 2
(->Circle 1) ;; expect: #beside.shapes.Circle{:r 1}
(class (->Circle 1)) ;; expect: beside.shapes.Circle
(instance? beside.shapes.Circle (->Circle 1)) ;; expect: true
(main-program/twice 2) ;; expect: [:mine 2]
(:result (first (doquery :importance s/coin [1]))) ;; expect: true
(sample* (s/one)) ;; expect: 1
(def c (->Circle 3))
(let [f s/area] (f c)) ;; expect: 27
