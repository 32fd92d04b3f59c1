;; Names and their parts.
;; Same in Clojure.
(name "s") ;; expect: "s"
(keyword "a") ;; expect: :a
(keyword "n" "a") ;; expect: :n/a
(symbol "a") ;; expect: a
(keyword 'x) ;; expect: :x
(str :a/b) ;; expect: ":a/b"
(string? "s") ;; expect: true
(keyword? :a) ;; expect: true
(symbol? 'a) ;; expect: true
