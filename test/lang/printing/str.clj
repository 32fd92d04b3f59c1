;; str joins without quoting at its top.
;; Same in Clojure.
(str "a" 1 :k nil 2.0 \c) ;; expect: "a1:k2.0c"
(str) ;; expect: ""
(str nil) ;; expect: ""
(str [1 "x"]) ;; expect: "[1 \"x\"]"
(str '(1 2)) ;; expect: "(1 2)"
(str {:a 1}) ;; expect: "{:a 1}"
(str 1/2) ;; expect: "1/2"
(str true) ;; expect: "true"
(str 'sym) ;; expect: "sym"
