;; A stored false or nil is not a missing key.
;; Same in Clojure.
(get {:a false} :a :none) ;; expect: false
(get {:a nil} :a :none) ;; expect: nil
(:a {:a nil} :none) ;; expect: nil
(some? (get {:a 0} :a)) ;; expect: true
