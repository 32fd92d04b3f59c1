;; A query that conditions on itself is refused, not run until the stack is used up.
(defquery inner [] (sample ((conditional inner :importance))))
(first (doquery :importance inner [])) ;; expect-error: L003
