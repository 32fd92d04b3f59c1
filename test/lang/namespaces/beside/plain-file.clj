(def from-plain-file 42)
(defn plain [x] (+ x from-plain-file))
