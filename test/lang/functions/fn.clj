;; Anonymous functions.
;; Same in Clojure.
((fn [x] (* x x)) 3) ;; expect: 9
((fn [] 5)) ;; expect: 5
((fn [x y] (- x y)) 5 3) ;; expect: 2
((fn [& xs] xs) 1 2) ;; expect: (1 2)
((fn [& xs] xs)) ;; expect: nil
((fn [x & xs] [x xs]) 1 2 3) ;; expect: [1 (2 3)]
((fn [x] 1 2 x) 9) ;; expect: 9
((fn [])) ;; expect: nil
