;; Parts of strings.
;; Same in Clojure.
(subs "hello" 1) ;; expect: "ello"
(subs "hello" 1 3) ;; expect: "el"
(subs "hello" 5) ;; expect: ""
