;; :drop-invalid false keeps them.
(defquery q [] (observe (flip 1.0) false) 1)
(:log-weight (first (doquery :importance q [] :drop-invalid false))) ;; expect: ##-Inf
