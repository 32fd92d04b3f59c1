;; Sequential bindings and shadowing.
;; Same in Clojure.
(let [x 1] x) ;; expect: 1
(let [x 1 y (+ x 1)] [x y]) ;; expect: [1 2]
(let [x 1 x (+ x 1)] x) ;; expect: 2
(let [] 5) ;; expect: 5
(let [x 1]) ;; expect: nil
(let [x 1] (let [x 2] x)) ;; expect: 2
(let [x 1] 2 3 x) ;; expect: 1
