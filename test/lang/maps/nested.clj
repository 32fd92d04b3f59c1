;; Paths into maps.
;; Same in Clojure.
(get-in {:a {:b 1}} [:a :b]) ;; expect: 1
(get-in {:a {:b 1}} [:a :c]) ;; expect: nil
(get-in {:a 1} [:x :y] :none) ;; expect: :none
(assoc-in {} [:a :b] 1) ;; expect: {:a {:b 1}}
(update-in {:a {:b 1}} [:a :b] inc) ;; expect: {:a {:b 2}}
(update {:a 1} :a inc) ;; expect: {:a 2}
(update {:a 1} :b (fnil inc 0)) ;; expect: {:a 1, :b 1}
(update {:a 1} :a + 10 100) ;; expect: {:a 111}
(get-in {:a 1} []) ;; expect: {:a 1}
