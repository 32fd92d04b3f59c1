;; What is a vector.
;; Same in Clojure.
(vector? [1]) ;; expect: true
(vector? '(1)) ;; expect: false
(vector? (map inc [1])) ;; expect: false
(sequential? [1]) ;; expect: true
(coll? [1]) ;; expect: true
(associative? [1]) ;; expect: true
(counted? [1]) ;; expect: true
(indexed? [1]) ;; expect: true
(seq? [1]) ;; expect: false
(map? [1]) ;; expect: false
