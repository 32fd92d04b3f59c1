;; Catching what the program throws.
;; Same in Clojure.
(try 1) ;; expect: 1
(try (throw (ex-info "bad" {:n 5})) (catch Exception e :caught)) ;; expect: :caught
(try (throw (ex-info "bad" {:n 5})) (catch Exception e (:n (ex-data e)))) ;; expect: 5
(try (throw (ex-info "bad" {})) (catch Exception e (.getMessage e))) ;; expect: "bad"
(try (throw (ex-info "bad" {})) (catch Throwable e (ex-message e))) ;; expect: "bad"
(try 1 (finally 2)) ;; expect: 1
