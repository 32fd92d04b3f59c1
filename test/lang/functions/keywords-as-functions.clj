;; Keywords, maps, sets and vectors can be called.
;; Same in Clojure.
(:a {:a 1}) ;; expect: 1
(:a nil) ;; expect: nil
(:a [1]) ;; expect: nil
(map :k [{:k 1} {:k 2}]) ;; expect: (1 2)
({:a 1} :a) ;; expect: 1
(#{:a} :a) ;; expect: :a
([:x :y] 1) ;; expect: :y
('a {'a 1}) ;; expect: 1
(let [m {:a 1}] (m :a)) ;; expect: 1
(let [f :a] (f {:a 1})) ;; expect: 1
