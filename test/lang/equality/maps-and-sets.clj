;; Maps and sets ignore order.
;; Same in Clojure.
(= {:a 1 :b 2} {:b 2 :a 1}) ;; expect: true
(= #{1 2} #{2 1}) ;; expect: true
(= {:a 1} {:a 1.0}) ;; expect: false
(= (sorted-map :a 1) {:a 1}) ;; expect: true
(= #{1} (sorted-set 1)) ;; expect: true
(= {} #{}) ;; expect: false
