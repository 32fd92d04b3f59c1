;; map over one and several sequences.
;; Same in Clojure.
(map inc [1 2 3]) ;; expect: (2 3 4)
(map + [1 2] [10 20]) ;; expect: (11 22)
(map + [1 2 3] [10 20]) ;; expect: (11 22)
(map vector [1 2] [:a :b] ["x" "y"]) ;; expect: ([1 :a "x"] [2 :b "y"])
(map :a [{:a 1} {:a 2}]) ;; expect: (1 2)
(map {1 :one} [1 2]) ;; expect: (:one nil)
(map first [[1 2] [3 4]]) ;; expect: (1 3)
(map str "ab") ;; expect: ("a" "b")
(map inc nil) ;; expect: ()
