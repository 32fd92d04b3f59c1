;; replace with a pattern.
;; Same in Clojure.
(require '[clojure.string :as str])
(str/replace "a1b2" #"\d" "#") ;; expect: "a#b#"
(str/replace "hello" #"l+" "L") ;; expect: "heLo"
(str/replace "abc" \b \x) ;; expect: "axc"
