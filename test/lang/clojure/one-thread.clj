;; One thread runs the program: what another thread would have to do is an error, and so are futures inside queries.
(def f (future (throw (ex-info "inside" {:a 1}))))
(try @f (catch Exception e (ex-data e))) ;; expect: {:a 1}
(try @(promise) (catch IllegalStateException e (ex-message e))) ;; expect: "deref: nothing was delivered to this promise, and no other thread can"
(defquery q [] (predict :x (deref (future (sample (normal 0 1)))))) ;; expect-error: F010
(first (doquery :importance q []))
(defquery r [] (predict :x (deref (ref 1)))) ;; expect-error: F010
(first (doquery :importance r []))
@(promise) ;; expect-error: R014
