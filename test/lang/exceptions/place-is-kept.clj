;; A failure that passes a handler which is not for it keeps its place.
(defn f [x]
  (/ x 0)) ;; expect-error: R006
(try (f 1)
     (catch NullPointerException e 1))
