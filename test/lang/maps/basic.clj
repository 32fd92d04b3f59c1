;; Making and reading maps.
;; Same in Clojure.
{:a 1} ;; expect: {:a 1}
(hash-map :a 1) ;; expect: {:a 1}
(get {:a 1} :a) ;; expect: 1
(get {:a 1} :b) ;; expect: nil
(get {:a 1} :b :none) ;; expect: :none
(:a {:a 1}) ;; expect: 1
(:b {:a 1} 7) ;; expect: 7
({:a 1} :a) ;; expect: 1
({:a 1} :z :none) ;; expect: :none
(count {:a 1 :b 2}) ;; expect: 2
(contains? {:a nil} :a) ;; expect: true
(contains? {:a 1} :b) ;; expect: false
(find {:a 1} :a) ;; expect: [:a 1]
(find {:a 1} :b) ;; expect: nil
