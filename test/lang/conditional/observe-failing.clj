;; What goes wrong inside is said.
(defquery inner [] (observe (flip 0.0) true))
(defquery q [] (observe ((conditional inner :lmh)) nil))
(doall (take 1 (doquery :importance q []))) ;; expect-error: I003
