;; Atoms.
;; Same in Clojure.
(def a (atom 1))
@a ;; expect: 1
(swap! a inc) ;; expect: 2
(swap! a + 10) ;; expect: 12
(reset! a 0) ;; expect: 0
(deref a) ;; expect: 0
(compare-and-set! a 0 5) ;; expect: true
@a ;; expect: 5
(swap! a (fn [x y z] (+ x y z)) 1 2) ;; expect: 8
