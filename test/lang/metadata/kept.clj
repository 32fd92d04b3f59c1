;; Functions that change a collection keep its metadata, as Clojure's do; those that make another kind of thing do not.
(def v (with-meta [1 2] {:a 1}))
(def m (with-meta {:x 1} {:a 1}))
(meta (conj v 3)) ;; expect: {:a 1}
(conj v 3) ;; expect: [1 2 3]
(meta (conj v 3 4)) ;; expect: {:a 1}
(meta (into v [3 4])) ;; expect: {:a 1}
(meta (pop v)) ;; expect: {:a 1}
(meta (assoc v 0 9)) ;; expect: {:a 1}
(meta (empty v)) ;; expect: {:a 1}
(meta (assoc m :y 2)) ;; expect: {:a 1}
(meta (dissoc m :x)) ;; expect: {:a 1}
(meta (merge m {:z 1})) ;; expect: {:a 1}
(meta (assoc-in m [:p :q] 1)) ;; expect: {:a 1}
(meta (update m :x inc)) ;; expect: {:a 1}
(meta (conj (with-meta #{1} {:a 1}) 2)) ;; expect: {:a 1}
(meta (disj (with-meta #{1} {:a 1}) 1)) ;; expect: {:a 1}
(meta (map inc v)) ;; expect: nil
(meta (reduce conj (with-meta [] {:a 1}) (range 1000))) ;; expect: {:a 1}
(count (reduce conj (with-meta [] {:a 1}) (range 1000))) ;; expect: 1000
