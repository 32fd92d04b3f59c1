;; Arguments are separated by one space.
;; Same in Clojure.
(print-str 1 nil "a" :b 'c [1]) ;; expect: "1 nil a :b c [1]"
(pr-str "a" "b") ;; expect: "\"a\" \"b\""
