;; finally runs in every case.
;; Same in Clojure.
(def log (atom []))
(try (swap! log conj :body) (finally (swap! log conj :end))) ;; expect: [:body]
(try (throw (Exception. "x")) (catch Exception e :c) (finally (swap! log conj :end2))) ;; expect: :c
@log ;; expect: [:body :end :end2]
