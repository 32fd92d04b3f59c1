;; A protocol for types that were there before.
;; Same in Clojure.
(defprotocol Describe (describe [x]))
(defrecord A [n])
(extend-protocol Describe A (describe [a] (str "A" (:n a))))
(describe (->A 5)) ;; expect: "A5"
