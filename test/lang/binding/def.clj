;; Top-level definitions.
;; Same in Clojure.
(def x 1)
x ;; expect: 1
(def y "doc" 2)
y ;; expect: 2
(def x (+ x 10))
x ;; expect: 11
(def ^:private z 3)
z ;; expect: 3
(def unset)
(defonce once 1)
(defonce once 2)
once ;; expect: 1
