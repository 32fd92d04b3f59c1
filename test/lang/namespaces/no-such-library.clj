;; A library that is neither known nor beside the program: to name it is allowed, to use it is not.
(ns program (:require [incanter.stats :as st]))
(+ 1 1) ;; expect: 2
(st/mean [1 2 3]) ;; expect-error: F001
