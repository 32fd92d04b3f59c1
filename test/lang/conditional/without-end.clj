;; A query that conditions on itself is refused, not run until the stack is used up.
(defquery inner [] (sample ((conditional inner :importance)))) ;; expect-error: L003
(first (doquery :importance inner []))
