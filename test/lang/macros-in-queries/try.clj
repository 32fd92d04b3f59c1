;; try, catch and finally in a query.
(defquery q [] (try (+ (sample (dirac 1)) (throw (ex-info "x" {:n 5}))) (catch Exception e (+ (sample (dirac 10)) (:n (ex-data e))))))
(:result (first (doquery :importance q []))) ;; expect: 15
