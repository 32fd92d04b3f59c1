;; Functions keep the variables they were made with.
;; Same in Clojure.
(def add (fn [n] (fn [x] (+ n x))))
((add 3) 4) ;; expect: 7
(map (add 1) [1 2]) ;; expect: (2 3)
(def fs (map (fn [i] (fn [] i)) [1 2 3]))
((second fs)) ;; expect: 2
(let [x 1 f (fn [] x) x 2] (f)) ;; expect: 1
