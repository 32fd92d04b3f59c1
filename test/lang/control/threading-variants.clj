;; as->, cond->, some-> and their kin.
;; Same in Clojure.
(as-> 1 x (+ x 1) (* x 10)) ;; expect: 20
(cond-> 1 true inc false (* 100)) ;; expect: 2
(cond->> [1 2 3] true (map inc) false (filter odd?)) ;; expect: (2 3 4)
(some-> {:a {:b 1}} :a :b inc) ;; expect: 2
(some-> {:a nil} :a :b inc) ;; expect: nil
(some->> [1 2] (map inc) first) ;; expect: 2
