;; print leaves strings inside collections unquoted.
;; Same in Clojure.
(print-str "a" "b") ;; expect: "a b"
(print-str ["a" \b]) ;; expect: "[a b]"
(prn-str "a") ;; expect: "\"a\"\n"
(println-str 1 2) ;; expect: "1 2\n"
