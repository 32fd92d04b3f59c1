;; Choosing and renaming keys.
;; Same in Clojure.
(select-keys {:a 1 :b 2 :c 3} [:a :c]) ;; expect: {:a 1, :c 3}
(zipmap [:a :b] [1 2]) ;; expect: {:a 1, :b 2}
(zipmap [:a :b :c] [1 2]) ;; expect: {:a 1, :b 2}
(reduce-kv (fn [s k v] (+ s v)) 0 {:a 1 :b 2}) ;; expect: 3
(reduce-kv (fn [m k v] (assoc m v k)) {} {:a 1 :b 2}) ;; expect: {1 :a, 2 :b}
(map-indexed vector {:a 1}) ;; expect: ([0 [:a 1]])
