;; In its initialiser the name still means the function.
;; Same in Clojure.
(let [count (count [1 2 3])] count) ;; expect: 3
(let [first (first [7 8])] first) ;; expect: 7
(let [str (str 1 2)] str) ;; expect: "12"
(let [max (max 1 2) min (min 1 2)] [max min]) ;; expect: [2 1]
