;; A function that defines, called by a query.
(defn set-up [x] (def made x)) ;; expect-error: F010
(defquery q [] (set-up 1))
(first (doquery :importance q []))
