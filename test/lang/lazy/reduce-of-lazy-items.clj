;; A function that needs an item worked out sees every item, and sees it once.
;; Same in Clojure.
(reduce = [(map inc [1]) (map inc [1])]) ;; expect: true
(reduce into [] [(map inc [1 2]) (map dec [1 2])]) ;; expect: [2 3 0 1]
(reduce + (map count [(map inc [1 2]) (map dec [1])])) ;; expect: 3
