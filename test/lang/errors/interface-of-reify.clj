(def twice (reify clojure.lang.IFn (invoke [this x] (* 2 x)))) ;; expect-error: F007
