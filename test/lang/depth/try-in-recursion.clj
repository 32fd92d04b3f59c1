;; A handler at every level.
(defn f [n] (if (zero? n) (throw (ex-info "bottom" {})) (try (f (dec n)) (catch Exception e (throw e)))))
(try (f 1000) (catch Exception e (ex-message e))) ;; expect: "bottom"
