;; Both kinds in each other.
;; Same in Clojure.
(let [[{:keys [a]} & more] [{:a 1} 2 3]] [a more]) ;; expect: [1 (2 3)]
(let [{[x & xs] :items n :n} {:items [1 2 3] :n 9}] [x xs n]) ;; expect: [1 (2 3) 9]
(let [[a [b [c]]] [1 [2 [3]]]] (+ a b c)) ;; expect: 6
(let [[k v] (first {:a 1})] [v k]) ;; expect: [1 :a]
