;; Names that a used library has of its own come before those of the same name.
(ns program (:use [clojure.core.matrix :only [sqrt join]]))
(sqrt [4 9]) ;; expect: [2.0 3.0]
(clojure.string/join "," [1 2]) ;; expect: "1,2"
(join [1 2] [3]) ;; expect: [1 2 3]
