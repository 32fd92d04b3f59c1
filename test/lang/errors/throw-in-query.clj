;; An exception of the program in a query.
(defquery q []
  (throw (ex-info "stop" {}))) ;; expect-error: R016
(first (doquery :importance q []))
