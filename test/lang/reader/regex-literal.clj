;; Regular expression literals.
;; Same in Clojure.
(re-find #"\d+" "ab123c") ;; expect: "123"
(re-matches #"[a-c]+" "abcab") ;; expect: "abcab"
(re-seq #"\w" "a-b") ;; expect: ("a" "b")
