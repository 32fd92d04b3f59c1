;; while with an atom.
;; Same in Clojure.
(def n (atom 3))
(while (pos? @n) (swap! n dec)) ;; expect: nil
@n ;; expect: 0
