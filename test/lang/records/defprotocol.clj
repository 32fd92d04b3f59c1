;; Protocols with inline implementations.
;; Same in Clojure.
(defprotocol Shape (area [s]) (scale [s k]))
(defrecord Square [side] Shape (area [s] (* side side)) (scale [s k] (->Square (* k side))))
(defrecord Circle [r] Shape (area [_] (* 3 r r)) (scale [_ k] (->Circle (* k r))))
(area (->Square 3)) ;; expect: 9
(area (scale (->Square 3) 2)) ;; expect: 36
(map area [(->Square 1) (->Circle 1)]) ;; expect: (1 3)
(satisfies? Shape (->Square 1)) ;; expect: true
