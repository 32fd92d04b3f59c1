;; observe of something else.
(defquery q []
  (observe 5 1)) ;; expect-error: R010
(first (doquery :importance q []))
