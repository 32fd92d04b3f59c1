;; List comprehension.
;; Same in Clojure.
(for [x [1 2 3]] (* x x)) ;; expect: (1 4 9)
(for [x [1 2] y [:a :b]] [x y]) ;; expect: ([1 :a] [1 :b] [2 :a] [2 :b])
(for [x (range 6) :when (odd? x)] x) ;; expect: (1 3 5)
(for [x (range 10) :while (< x 3)] x) ;; expect: (0 1 2)
(for [x [1 2] :let [y (* 10 x)]] y) ;; expect: (10 20)
(for [x (range 3) y (range x)] [x y]) ;; expect: ([1 0] [2 0] [2 1])
(for [[k v] {:a 1}] [v k]) ;; expect: ([1 :a])
(for [x [1 2 3] :let [y (* x x)] :when (> y 1) z [:p]] [x y z]) ;; expect: ([2 4 :p] [3 9 :p])
(for [x []] x) ;; expect: ()
