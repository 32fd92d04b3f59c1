;; Regular expressions and numbers as Clojure prints them.
;; Same in Clojure.
#"a+\d" ;; expect: #"a+\d"
[#"a" "b"] ;; expect: [#"a" "b"]
(str #"a\"b") ;; expect: "a\\\"b"
(pr-str #"x|y") ;; expect: "#\"x|y\""
(map str [5N 1/2 2.0 :k 's nil #"p"]) ;; expect: ("5" "1/2" "2.0" ":k" "s" "" "p")
[5N (class 5N) (type #"a")] ;; expect: [5N clojure.lang.BigInt java.util.regex.Pattern]
