;; pr-str quotes strings and characters.
;; Same in Clojure.
(pr-str "a\"b") ;; expect: "\"a\\\"b\""
(pr-str \a) ;; expect: "\\a"
(pr-str [1 "x" :k nil]) ;; expect: "[1 \"x\" :k nil]"
(pr-str {:a "b"}) ;; expect: "{:a \"b\"}"
(pr-str 1 2) ;; expect: "1 2"
(pr-str) ;; expect: ""
