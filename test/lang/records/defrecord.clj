;; Records are maps with fields.
;; Same in Clojure.
(defrecord Point [x y])
(def p (->Point 1 2))
(:x p) ;; expect: 1
(:z p :none) ;; expect: :none
(:x (assoc p :x 10)) ;; expect: 10
(:x (map->Point {:x 5 :y 6})) ;; expect: 5
(= p (->Point 1 2)) ;; expect: true
(= p {:x 1 :y 2}) ;; expect: false
(let [{:keys [x y]} p] (+ x y)) ;; expect: 3
(instance? Point p) ;; expect: true
(record? p) ;; expect: true
(map? p) ;; expect: true
(keys p) ;; expect: (:x :y)
