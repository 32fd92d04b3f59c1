;; Unwinding through calls.
;; Same in Clojure.
(defn deep [n] (if (zero? n) (throw (ex-info "deep" {:d 1})) (inc (deep (dec n)))))
(try (deep 100) (catch Exception e (ex-data e))) ;; expect: {:d 1}
(try (mapv (fn [x] (if (= x 2) (throw (ex-info "two" {})) x)) [1 2 3]) (catch Exception e :stopped)) ;; expect: :stopped
