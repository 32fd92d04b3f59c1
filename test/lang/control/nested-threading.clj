;; A chain whose value is a chain is one chain, whichever way each threads; names that the program gives another meaning keep it.
;; Same in Clojure.
(-> (-> 10 (- 3)) (- 2)) ;; expect: 5
(->> (-> 10 (- 3)) (- 2)) ;; expect: -5
(-> (->> 10 (- 3)) (- 2)) ;; expect: -9
(-> (-> (->> [1 2] (map inc)) vec) (conj 9)) ;; expect: [2 3 9]
(-> (-> 1) (-> inc) (->> (- 5))) ;; expect: 3
(let [-> (fn [a b] [a b])] (->> (-> 1 2) (conj [0]))) ;; expect: [0 [1 2]]
