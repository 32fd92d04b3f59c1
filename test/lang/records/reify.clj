;; An object without a type.
;; Same in Clojure.
(defprotocol Speak (speak [x]))
(def tom (reify Speak (speak [_] "meow")))
(speak tom) ;; expect: "meow"
(let [n 3] (speak (reify Speak (speak [_] (* n n))))) ;; expect: 9
