;; A thrown exception that is not caught.
(throw (ex-info "not caught" {:a 1})) ;; expect-error: R016
