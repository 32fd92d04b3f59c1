;; Maps and sets of the library: every value was given by Clojure 1.11.
;; Same in Clojure.
(into [] '(1 2)) ;; expect: [1 2]
(into () [1 2 3]) ;; expect: (3 2 1)
(into {} [[:a 1] [:b 2]]) ;; expect: {:a 1, :b 2}
(into #{} [1 2 2]) ;; expect: #{1 2}
(into {:a 1} {:b 2}) ;; expect: {:a 1, :b 2}
(into (sorted-map) {:b 1 :a 2}) ;; expect: {:a 2, :b 1}
(group-by odd? [1 2 3]) ;; expect: {true [1 3], false [2]}
(frequencies "abca") ;; expect: {\a 2, \b 1, \c 1}
(zipmap [:a :b] [1 2 3]) ;; expect: {:a 1, :b 2}
(zipmap [:a :b] (range)) ;; expect: {:a 0, :b 1}
(merge {:a 1} nil {:b 2}) ;; expect: {:a 1, :b 2}
(merge nil nil) ;; expect: nil
(merge-with + {:a 1 :b 2} {:a 10} {:b 5 :c 1}) ;; expect: {:a 11, :b 7, :c 1}
(update {:a 1} :a inc) ;; expect: {:a 2}
(update {:a 1} :b (fnil conj []) 3) ;; expect: {:a 1, :b [3]}
(update-in {:a {:b 1}} [:a :b] + 10) ;; expect: {:a {:b 11}}
(update-in {} [:a :b] (fn [x] 1)) ;; expect: {:a {:b 1}}
(assoc-in {} [:a :b] 1) ;; expect: {:a {:b 1}}
(assoc-in [1 [2 3]] [1 0] 9) ;; expect: [1 [9 3]]
(get-in {:a {:b 1}} [:a :b]) ;; expect: 1
(get-in {:a 1} [:x :y] :none) ;; expect: :none
(assoc [1 2] 2 3) ;; expect: [1 2 3]
(assoc nil :a 1) ;; expect: {:a 1}
(dissoc {:a 1 :b 2} :a) ;; expect: {:b 2}
(select-keys {:a 1 :b 2} [:a :c]) ;; expect: {:a 1}
(keys {:a 1 :b 2}) ;; expect: (:a :b)
(vals {}) ;; expect: nil
(find {:a 1} :a) ;; expect: [:a 1]
(contains? [1 2] 1) ;; expect: true
(contains? #{1} 1) ;; expect: true
(contains? {:a nil} :a) ;; expect: true
(get [1 2] 5 :no) ;; expect: :no
(get #{1 2} 1) ;; expect: 1
(get "abc" 1) ;; expect: \b
(set [1 2 2]) ;; expect: #{1 2}
(sorted-map :b 1 :a 2) ;; expect: {:a 2, :b 1}
(sorted-map-by > 1 :a 2 :b) ;; expect: {2 :b, 1 :a}
(sorted-map-by (fn [a b] (compare b a)) 1 :a 2 :b) ;; expect: {2 :b, 1 :a}
(into (sorted-map-by (fn [a b] (compare b a))) {1 :a 3 :c 2 :b}) ;; expect: {3 :c, 2 :b, 1 :a}
(sorted-set 3 1 2) ;; expect: #{1 2 3}
(sorted-set-by > 1 2 3) ;; expect: #{3 2 1}
(clojure.set/union #{1} #{2}) ;; expect: #{1 2}
(clojure.set/intersection #{1 2} #{2 3}) ;; expect: #{2}
(clojure.set/difference #{1 2} #{2}) ;; expect: #{1}
(clojure.set/map-invert {:a 1}) ;; expect: {1 :a}
(update-vals {:a 1} inc) ;; expect: {:a 2}
(hash-map :a 1 :b 2 :c 3) ;; expect: {:c 3, :b 2, :a 1}
(set (range 20)) ;; expect: #{0 7 1 4 15 13 6 17 3 12 2 19 11 9 5 14 16 10 18 8}
(into {} (map (fn [i] [i (* i i)]) (range 12))) ;; expect: {0 0, 7 49, 1 1, 4 16, 6 36, 3 9, 2 4, 11 121, 9 81, 5 25, 10 100, 8 64}
(frequencies [1 2 1 3 :a "x" nil nil]) ;; expect: {1 2, 2 1, 3 1, :a 1, "x" 1, nil 2}
(array-map :z 1 :y 2 :x 3) ;; expect: {:z 1, :y 2, :x 3}
(hash "abc") ;; expect: 74834163
(hash [1 2 3]) ;; expect: 736442005
(hash {:a 1}) ;; expect: 1772842048
(hash 1.5) ;; expect: 1073217536
(hash :kw) ;; expect: 1158308175
((fn [& {:keys [a b]}] [a b]) :a 1 :b 2) ;; expect: [1 2]
(let [{:keys [a] :or {a 5}} {}] a) ;; expect: 5
(get nil :a) ;; expect: nil
(assoc {} [1 2] 3) ;; expect: {[1 2] 3}
(get {[1 2] 3} '(1 2)) ;; expect: 3
(hash (map inc [1 2])) ;; expect: -1504369821
(update {:a [1]} :a conj 2 3) ;; expect: {:a [1 2 3]}
(frequencies "hello") ;; expect: {\h 1, \e 1, \l 2, \o 1}
