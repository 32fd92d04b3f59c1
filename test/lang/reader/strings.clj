;; String literals and escapes.
;; Same in Clojure.
"plain" ;; expect: "plain"
"tab\there" ;; expect: "tab\there"
"line\nbreak" ;; expect: "line\nbreak"
"quote \" and backslash \\" ;; expect: "quote \" and backslash \\"
"\u00e9t\u00e9" ;; expect: "été"
"" ;; expect: ""
(count "a\nb") ;; expect: 3
