;; The nearest handler gets it.
;; Same in Clojure.
(try (try (throw (ex-info "in" {})) (catch Exception e (throw (ex-info "out" {})))) (catch Exception e (ex-message e))) ;; expect: "out"
(try (+ 1 (try (throw (ex-info "x" {})) (catch Exception e 10))) (catch Exception e :outer)) ;; expect: 11
