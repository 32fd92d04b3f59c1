(ns beside.broken)

(defn f [x] (+ x no-such-name))
