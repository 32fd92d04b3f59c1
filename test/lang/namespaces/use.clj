;; use brings all public names, or some of them.
;; expect-out: numbers are loaded
(ns main-program
  (:use [beside.numbers :only [three]]
        [beside.shapes :exclude [map twice] :rename {shown visible}]))
three ;; expect: 3
(visible 1) ;; expect: 1
(map inc [1]) ;; expect: (2)
(area (->Circle 1)) ;; expect: 3
(unless nil :yes) ;; expect: :yes
