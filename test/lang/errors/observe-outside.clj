;; observe at top level has no engine to answer it.
(observe (flip 0.5) true) ;; expect-error: R014
