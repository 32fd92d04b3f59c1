;; Sequences print their elements.
;; Same in Clojure.
(map inc [1 2 3]) ;; expect: (2 3 4)
(str (range 3)) ;; expect: "(0 1 2)"
(pr-str (filter odd? (range 6))) ;; expect: "(1 3 5)"
