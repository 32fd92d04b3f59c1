;; A map of a thousand keys.
;; Same in Clojure.
(def m (into {} (map (fn [i] [i (* i i)]) (range 1000))))
(count m) ;; expect: 1000
(get m 999) ;; expect: 998001
(get m 1000) ;; expect: nil
(reduce + (vals m)) ;; expect: 332833500
(count (dissoc m 5)) ;; expect: 999
(get (assoc m 5 :five) 5) ;; expect: :five
(= m (zipmap (range 1000) (map #(* % %) (range 1000)))) ;; expect: true
