;; Bindings with a test.
;; Same in Clojure.
(if-let [x 1] x :none) ;; expect: 1
(if-let [x nil] x :none) ;; expect: :none
(when-let [x 2] (inc x)) ;; expect: 3
(when-let [x false] 1) ;; expect: nil
(if-some [x false] [x] :none) ;; expect: [false]
(when-some [x 0] x) ;; expect: 0
(when-first [x [1 2]] x) ;; expect: 1
(if-let [[a b] [1 2]] (+ a b) 0) ;; expect: 3
