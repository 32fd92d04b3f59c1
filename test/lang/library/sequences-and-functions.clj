;; Sequences and functions of the library: every value was given by Clojure 1.11.
;; Same in Clojure.
(map + [1 2 3] [10 20]) ;; expect: (11 22)
(map vector [1 2] [3 4] [5 6] [7 8]) ;; expect: ([1 3 5 7] [2 4 6 8])
(mapv inc '(1 2 3)) ;; expect: [2 3 4]
(mapv + [1 2] [3 4]) ;; expect: [4 6]
(map-indexed vector [:a :b]) ;; expect: ([0 :a] [1 :b])
(mapcat (fn [x] [x x]) [1 2 3]) ;; expect: (1 1 2 2 3 3)
(mapcat vector [1 2] [3 4]) ;; expect: (1 3 2 4)
(filter even? {}) ;; expect: ()
(filterv even? (range 7)) ;; expect: [0 2 4 6]
(remove nil? [1 nil 2]) ;; expect: (1 2)
(keep (fn [x] (if (odd? x) (* x x))) (range 6)) ;; expect: (1 9 25)
(keep-indexed (fn [i x] (if (odd? i) x)) [:a :b :c :d]) ;; expect: (:b :d)
(reduce + []) ;; expect: 0
(reduce + 5 []) ;; expect: 5
(reduce (fn [a x] (if (> x 3) (reduced a) (+ a x))) 0 [1 2 3 4 5]) ;; expect: 6
(reduce (fn [a x] (if (> x 3) (reduced a) (+ a x))) 0 (range 10)) ;; expect: 6
(reduce conj () [1 2 3]) ;; expect: (3 2 1)
(reduce-kv (fn [a k v] (+ a v)) 0 {:a 1 :b 2}) ;; expect: 3
(reduce-kv (fn [a i v] (conj a [i v])) [] [:x :y]) ;; expect: [[0 :x] [1 :y]]
(reductions + [1 2 3 4]) ;; expect: (1 3 6 10)
(reductions + 100 [1 2 3]) ;; expect: (100 101 103 106)
(reductions + []) ;; expect: (0)
(some #{3 4} [1 2 3]) ;; expect: 3
(some even? [1 3]) ;; expect: nil
(every? odd? [1 3]) ;; expect: true
(every? odd? []) ;; expect: true
(not-any? odd? [2 4]) ;; expect: true
(not-every? odd? [2 4]) ;; expect: true
((every-pred odd? pos?) 3 5) ;; expect: true
((some-fn :a :b) {:b 2}) ;; expect: 2
((juxt inc dec) 5) ;; expect: [6 4]
((partial + 1 2) 3 4) ;; expect: 10
((partial + 1 2 3 4) 5) ;; expect: 15
((complement nil?) 1) ;; expect: true
((constantly 3) 1 2 3) ;; expect: 3
((fnil inc 0) nil) ;; expect: 1
((fnil + 0 10) nil nil) ;; expect: 10
((comp) 3) ;; expect: 3
(take 3 (cycle [1 2])) ;; expect: (1 2 1)
(take 3 (repeat :x)) ;; expect: (:x :x :x)
(repeat 3 1) ;; expect: (1 1 1)
(take 2 (repeatedly (fn [] 7))) ;; expect: (7 7)
(repeatedly 3 (constantly 1)) ;; expect: (1 1 1)
(take-while pos? [1 2 -1 3]) ;; expect: (1 2)
(drop-while pos? [1 2 -1 3]) ;; expect: (-1 3)
(split-with pos? [1 -1 2]) ;; expect: [(1) (-1 2)]
(split-at 2 [1 2 3]) ;; expect: [(1 2) (3)]
(drop 2 [1 2 3]) ;; expect: (3)
(drop 5 [1 2 3]) ;; expect: ()
(drop -1 [1 2]) ;; expect: (1 2)
(take -1 [1 2]) ;; expect: ()
(take 10 [1 2]) ;; expect: (1 2)
(take-last 2 [1 2 3]) ;; expect: (2 3)
(take-last 2 []) ;; expect: nil
(drop-last [1 2 3]) ;; expect: (1 2)
(drop-last 2 (range 5)) ;; expect: (0 1 2)
(take-nth 2 (range 7)) ;; expect: (0 2 4 6)
(take 3 (take-nth 2 (range))) ;; expect: (0 2 4)
(interleave [1 2 3] [:a :b]) ;; expect: (1 :a 2 :b)
(take 4 (interleave (range) (repeat :x))) ;; expect: (0 :x 1 :x)
(interpose :x [1 2 3]) ;; expect: (1 :x 2 :x 3)
(partition 2 [1 2 3 4 5]) ;; expect: ((1 2) (3 4))
(partition 2 1 [1 2 3]) ;; expect: ((1 2) (2 3))
(partition 3 3 [:p] [1 2 3 4]) ;; expect: ((1 2 3) (4 :p))
(partition-all 2 [1 2 3]) ;; expect: ((1 2) (3))
(partition-by odd? [1 1 2 2 3]) ;; expect: ((1 1) (2 2) (3))
(take 2 (partition 2 (range))) ;; expect: ((0 1) (2 3))
(take 2 (partition-by #(quot % 3) (range))) ;; expect: ((0 1 2) (3 4 5))
(distinct [1 2 1 3 2]) ;; expect: (1 2 3)
(dedupe [1 1 2 2 1]) ;; expect: (1 2 1)
(take 3 (distinct (cycle [1 2 3]))) ;; expect: (1 2 3)
(flatten [1 [2 [3 nil]] '(4)]) ;; expect: (1 2 3 nil 4)
(flatten nil) ;; expect: ()
(concat) ;; expect: ()
(concat [1] nil [2 3]) ;; expect: (1 2 3)
(take 3 (concat [1] (iterate inc 5))) ;; expect: (1 5 6)
(sort [3 1 2]) ;; expect: (1 2 3)
(sort > [3 1 2]) ;; expect: (3 2 1)
(sort ["b" "a"]) ;; expect: ("a" "b")
(sort [[2 1] [1 5] [1]]) ;; expect: ([1] [1 5] [2 1])
(sort (fn [a b] (< (:k a) (:k b))) [{:k 2} {:k 1}]) ;; expect: ({:k 1} {:k 2})
(sort []) ;; expect: ()
(sort-by count ["aaa" "b" "cc"]) ;; expect: ("b" "cc" "aaa")
(sort-by - [1 3 2]) ;; expect: (3 2 1)
(sort-by first > [[1 :a] [3 :b] [2 :c]]) ;; expect: ([3 :b] [2 :c] [1 :a])
(sort-by :k (fn [a b] (compare b a)) [{:k 1} {:k 2}]) ;; expect: ({:k 2} {:k 1})
(max-key count "a" "bbb" "cc") ;; expect: "bbb"
(min-key count "aa" "b" "c") ;; expect: "c"
(apply max-key val {:a 1 :b 3}) ;; expect: [:b 3]
(nth [1 2] 5 :no) ;; expect: :no
(nth '(1 2 3) 1) ;; expect: 2
(nth "abc" 1) ;; expect: \b
(first nil) ;; expect: nil
(rest []) ;; expect: ()
(next [1]) ;; expect: nil
(second [1 2]) ;; expect: 2
(last [1 2 3]) ;; expect: 3
(butlast [1 2 3]) ;; expect: (1 2)
(butlast [1]) ;; expect: nil
(count nil) ;; expect: 0
(count "abc") ;; expect: 3
(count {:a 1}) ;; expect: 1
(empty? "") ;; expect: true
(not-empty []) ;; expect: nil
(not-empty [1]) ;; expect: [1]
(seq {}) ;; expect: nil
(seq "ab") ;; expect: (\a \b)
(reverse [1 2 3]) ;; expect: (3 2 1)
(rseq [1 2 3]) ;; expect: (3 2 1)
(cons 1 nil) ;; expect: (1)
(cons 1 [2]) ;; expect: (1 2)
(conj [1] 2 3) ;; expect: [1 2 3]
(conj '(1) 2 3) ;; expect: (3 2 1)
(conj nil 1) ;; expect: (1)
(conj {:a 1} [:b 2]) ;; expect: {:a 1, :b 2}
(conj #{1} 2) ;; expect: #{1 2}
(conj) ;; expect: []
(list* 1 2 [3 4]) ;; expect: (1 2 3 4)
(vec '(1 2)) ;; expect: [1 2]
(vec {:a 1}) ;; expect: [[:a 1]]
(subvec [1 2 3 4] 1 3) ;; expect: [2 3]
(peek [1 2]) ;; expect: 2
(peek '(1 2)) ;; expect: 1
(pop [1 2]) ;; expect: [1]
(pop '(1 2)) ;; expect: (2)
(disj #{1 2} 1) ;; expect: #{2}
(range 5) ;; expect: (0 1 2 3 4)
(range 1 10 3) ;; expect: (1 4 7)
(range 0 1 0.25) ;; expect: (0 0.25 0.5 0.75)
(range 5 0 -2) ;; expect: (5 3 1)
(range 0) ;; expect: ()
(>= 3 3 2) ;; expect: true
(rationalize 0.25) ;; expect: 1/4
(numerator 3/4) ;; expect: 3
(bit-and 12 10) ;; expect: 8
(bit-or 12 10) ;; expect: 14
(bit-xor 12 10) ;; expect: 6
(bit-shift-left 1 10) ;; expect: 1024
(bit-shift-right -8 1) ;; expect: -4
(unsigned-bit-shift-right -1 60) ;; expect: 15
(bit-not 5) ;; expect: -6
(nil? nil) ;; expect: true
(number? 1/2) ;; expect: true
(integer? 1.0) ;; expect: false
(coll? {}) ;; expect: true
(sequential? []) ;; expect: true
(sequential? {}) ;; expect: false
(seq? (map inc [1])) ;; expect: true
(list? '(1)) ;; expect: true
(ifn? :a) ;; expect: true
(fn? inc) ;; expect: true
(vector? [1]) ;; expect: true
(map? {}) ;; expect: true
(zero? 0.0) ;; expect: true
(even? 4) ;; expect: true
(true? 1) ;; expect: false
(boolean nil) ;; expect: false
(identical? :a :a) ;; expect: true
(tree-seq sequential? seq [1 [2 [3]]]) ;; expect: ([1 [2 [3]]] 1 [2 [3]] 2 [3] 3)
(clojure.walk/postwalk (fn [x] (if (number? x) (inc x) x)) [1 {:a 2} '(3)]) ;; expect: [2 {:a 3} (4)]
(clojure.walk/prewalk (fn [x] (if (vector? x) (conj x 0) x)) [1 2]) ;; expect: [1 2 0]
(let [a (atom 1)] (swap! a + 2 3) @a) ;; expect: 6
(let [f (memoize (fn [x] (* x x)))] [(f 3) (f 3)]) ;; expect: [9 9]
(trampoline (fn f [n] (if (pos? n) (fn [] (f (dec n))) :done)) 10) ;; expect: :done
(doall (map inc [1 2])) ;; expect: (2 3)
(dorun [1 2]) ;; expect: nil
(run! identity [1 2]) ;; expect: nil
(replace {1 :one} [1 2 1]) ;; expect: [:one 2 :one]
(ffirst [[1 2]]) ;; expect: 1
(nthrest [1 2 3] 2) ;; expect: (3)
(nthnext [1 2 3] 3) ;; expect: nil
(nthrest [1 2] 5) ;; expect: ()
(distinct? 1 2 3) ;; expect: true
(for [x (range 4) :when (odd? x) :let [y (* x x)]] [x y]) ;; expect: ([1 1] [3 9])
(for [x (range) :while (< x 3)] x) ;; expect: (0 1 2)
(for [x [1 2] y (range x)] [x y]) ;; expect: ([1 0] [2 0] [2 1])
(lazy-cat [1] [2]) ;; expect: (1 2)
(sequence [1 2]) ;; expect: (1 2)
(let [[a b & c] [1 2 3 4]] [a b c]) ;; expect: [1 2 (3 4)]
(case 3 1 :a (2 3) :b :c) ;; expect: :b
(cond-> 1 true inc false dec) ;; expect: 2
(apply + 1 2 [3 4]) ;; expect: 10
(map :a [{:a 1} {:a 2}]) ;; expect: (1 2)
(map {1 :x} [1 2]) ;; expect: (:x nil)
(map #{1} [1 2]) ;; expect: (1 nil)
([10 20] 1) ;; expect: 20
(empty {:a 1}) ;; expect: {}
(sort (comparator >) [1 3 2]) ;; expect: (3 2 1)
(sort-by identity (comparator >) [1 3 2]) ;; expect: (3 2 1)
(reduce min [3 1 2]) ;; expect: 1
(reduce max 0 [3 1 2]) ;; expect: 3
(unreduced (reduced 5)) ;; expect: 5
(reduced? (reduced 1)) ;; expect: true
(take 5 (map * (range) (range))) ;; expect: (0 1 4 9 16)
(map (fn [& xs] (apply + xs)) [1 2] [3 4] [5 6]) ;; expect: (9 12)
(some (fn [[k v]] (if (= v 2) k)) {:a 1 :b 2}) ;; expect: :b
(distinct (list (map inc [1]) [2])) ;; expect: ((2))
(count (range 0 1 0.1)) ;; expect: 11
(last (range 10)) ;; expect: 9
(shuffle []) ;; expect: []
(map-indexed (fn [i x] (* i x)) (range 3)) ;; expect: (0 1 4)
(every? true? [true true]) ;; expect: true
(interleave) ;; expect: ()
(interpose 1 []) ;; expect: ()
(split-at 1 []) ;; expect: [() ()]
(take 3 (drop 2 (range))) ;; expect: (2 3 4)
(second (range)) ;; expect: 1
(nth (iterate inc 0) 50) ;; expect: 50
(nth (range) 7) ;; expect: 7
(min-key - 1 2 3) ;; expect: 3
(count "héllo") ;; expect: 5
(reverse "abc") ;; expect: (\c \b \a)
(map int "ab") ;; expect: (97 98)
(sort "hello") ;; expect: (\e \h \l \l \o)
