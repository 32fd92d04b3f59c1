(ns beside.my-lib)
(defn f [] :with-underscore)
