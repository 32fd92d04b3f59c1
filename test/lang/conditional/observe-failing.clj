;; What goes wrong inside is said.
(defquery inner [] (observe (flip 0.0) true)) ;; expect-error: I003
(defquery q [] (observe ((conditional inner :lmh)) nil))
(doall (take 1 (doquery :importance q [])))
