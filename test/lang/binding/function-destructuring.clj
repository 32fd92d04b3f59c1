;; Destructuring in parameters.
;; Same in Clojure.
((fn [[a b]] (+ a b)) [1 2]) ;; expect: 3
((fn [{:keys [a b]}] (+ a b)) {:a 1 :b 2}) ;; expect: 3
((fn [x [y z] & [w]] [x y z w]) 1 [2 3] 4) ;; expect: [1 2 3 4]
(defn point [{:keys [x y] :or {y 0}}] [x y])
(point {:x 1}) ;; expect: [1 0]
(point {:x 1 :y 2}) ;; expect: [1 2]
((fn [& {:keys [a b]}] [a b]) :a 1 :b 2) ;; expect: [1 2]
(map (fn [[k v]] (str k v)) {:a 1}) ;; expect: (":a1")
