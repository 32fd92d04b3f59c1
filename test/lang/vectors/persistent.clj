;; Adding to a vector leaves the old one alone.
;; Same in Clojure.
(def v [1 2])
(def w (conj v 3))
v ;; expect: [1 2]
w ;; expect: [1 2 3]
(assoc v 0 :x) ;; expect: [:x 2]
(assoc v 2 :end) ;; expect: [1 2 :end]
v ;; expect: [1 2]
