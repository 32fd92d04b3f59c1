;; Functions in data.
;; Same in Clojure.
(def ops {:add + :mul *})
((:add ops) 2 3) ;; expect: 5
((get ops :mul) 2 3) ;; expect: 6
(map (fn [[k f]] (f 2 5)) ops) ;; expect: (7 10)
(map #(% 4) [inc dec]) ;; expect: (5 3)
((reduce (fn [f g] (comp g f)) [inc #(* 2 %)]) 3) ;; expect: 8
