;; split with a limit, and with a pattern.
;; Same in Clojure.
(require '[clojure.string :as str])
(str/split "a1b22c" #"\d+") ;; expect: ["a" "b" "c"]
(str/split "a b c" #" " 2) ;; expect: ["a" "b c"]
(str/triml "  x ") ;; expect: "x "
(str/trimr " x  ") ;; expect: " x"
(str/trim-newline "x\n") ;; expect: "x"
(str/last-index-of "banana" "an") ;; expect: 3
