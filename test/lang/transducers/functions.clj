;; The sequence functions without a collection, and the functions that run them.
;; Same in Clojure.
(transduce (map inc) + [1 2 3]) ;; expect: 9
(transduce (comp (filter odd?) (map inc)) conj [1 2 3 4 5]) ;; expect: [2 4 6]
(transduce identity + 10 [1 2]) ;; expect: 13
(transduce (take 3) + (range)) ;; expect: 3
(transduce (map inc) (completing + str) 0 [1 2]) ;; expect: "5"
(transduce (map inc) max 0 [1 5 2]) ;; expect: 6
(into [] (map inc) [1 2 3]) ;; expect: [2 3 4]
(into #{} (comp (take 2) (map inc)) (range)) ;; expect: #{1 2}
(into {} (map (fn [[k v]] [k (inc v)])) {:a 1}) ;; expect: {:a 2}
(into () (map inc) [1 2]) ;; expect: (3 2)
(into (sorted-set) (map -) [1 2]) ;; expect: #{-2 -1}
(into [1] (map inc) nil) ;; expect: [1]
(sequence (map inc) [1 2 3]) ;; expect: (2 3 4)
(sequence (map +) [1 2] [10 20]) ;; expect: (11 22)
(sequence (filter odd?) []) ;; expect: ()
(take 3 (sequence (filter even?) (range))) ;; expect: (0 2 4)
(apply str (sequence (interpose ",") ["a" "b"])) ;; expect: "a,b"
(eduction (map inc) (filter even?) [1 2 3]) ;; expect: (2 4)
(reduce + (eduction (map inc) [1 2 3])) ;; expect: 9
(vec (eduction (take 2) (range))) ;; expect: [0 1]
(into [] (partition-all 2) [1 2 3 4 5]) ;; expect: [[1 2] [3 4] [5]]
(into [] (partition-by odd?) [1 3 2 4 5]) ;; expect: [[1 3] [2 4] [5]]
(into [] (comp (partition-all 2) (map vec)) (range 5)) ;; expect: [[0 1] [2 3] [4]]
(into [] (dedupe) [1 1 2 2 1]) ;; expect: [1 2 1]
(into [] (dedupe) [nil nil 1]) ;; expect: [nil 1]
(into [] (distinct) [1 2 1 3]) ;; expect: [1 2 3]
(into [] (interpose :x) [1 2 3]) ;; expect: [1 :x 2 :x 3]
(into [] cat [[1 2] [3]]) ;; expect: [1 2 3]
(into [] (comp cat (take 2)) [[1 2] [3] [4]]) ;; expect: [1 2]
(into [] (mapcat range) [1 2 3]) ;; expect: [0 0 1 0 1 2]
(into [] (take-while pos?) [1 2 -1 3]) ;; expect: [1 2]
(into [] (drop-while pos?) [1 2 -1 3]) ;; expect: [-1 3]
(into [] (drop 1) [1 2 3]) ;; expect: [2 3]
(into [] (take 0) [1 2]) ;; expect: []
(into [] (keep #(if (odd? %) (* 2 %))) [1 2 3]) ;; expect: [2 6]
(into [] (remove odd?) [1 2 3]) ;; expect: [2]
(into [] (map-indexed vector) [:a :b]) ;; expect: [[0 :a] [1 :b]]
(into [] (keep-indexed (fn [i x] (if (odd? i) x))) [:a :b :c]) ;; expect: [:b]
(into [] (take-nth 2) [1 2 3 4 5]) ;; expect: [1 3 5]
(let [xf (comp (map inc) (take 2))] [(into [] xf [1 2 3]) (into [] xf [5 6 7])]) ;; expect: [[2 3] [6 7]]
(reduced? (ensure-reduced (reduced 5))) ;; expect: true
@(ensure-reduced 5) ;; expect: 5
(transduce (halt-when odd?) conj [] [2 4 5 6]) ;; expect: 5
(transduce (halt-when odd? conj) conj [] [2 4 5 6]) ;; expect: [2 4 5]
(transduce (comp cat (map inc)) conj [] [[1 2] [3]]) ;; expect: [2 3 4]
(let [v (volatile! 1)] (vswap! v + 2) @v) ;; expect: 3
(persistent! (conj! (transient [1]) 2)) ;; expect: [1 2]
(persistent! (reduce (fn [m k] (assoc! m k (inc k))) (transient {}) [1 2])) ;; expect: {1 2, 2 3}
(defn sieve [n] (into [] (comp (filter odd?) (map #(* % %)) (take n)) (range)))
(sieve 4) ;; expect: [1 9 25 49]
