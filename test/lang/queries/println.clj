;; Printing in a query.
(defquery q [] (println "inside") 1)
(:result (first (doquery :importance q []))) ;; expect: 1
;; expect-out: inside
