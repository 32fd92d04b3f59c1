;; A library that is neither known nor beside the program: to name it is allowed, to use it is not.
(ns program (:require [incanter.stats :as st])) ;; expect-error: F014
(+ 1 1) ;; expect: 2
(st/mean [1 2 3] unbound (st/sd [1 2])) ; nothing else is said of this form
