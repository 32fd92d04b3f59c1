;; A thrown exception that nobody catches.
(throw (ex-info "nobody catches me" {:a 1})) ;; expect-error: R016
