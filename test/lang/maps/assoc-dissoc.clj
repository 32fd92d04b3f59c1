;; Adding and removing.
;; Same in Clojure.
(assoc {:a 1} :b 2) ;; expect: {:a 1, :b 2}
(assoc {} :a 1 :b 2) ;; expect: {:a 1, :b 2}
(assoc {:a 1} :a 2) ;; expect: {:a 2}
(assoc nil :a 1) ;; expect: {:a 1}
(dissoc {:a 1 :b 2} :a) ;; expect: {:b 2}
(dissoc {:a 1} :z) ;; expect: {:a 1}
(dissoc {:a 1 :b 2 :c 3} :a :c) ;; expect: {:b 2}
(conj {:a 1} [:b 2]) ;; expect: {:a 1, :b 2}
(conj {:a 1} {:b 2}) ;; expect: {:a 1, :b 2}
