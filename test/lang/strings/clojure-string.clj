;; The namespace clojure.string.
;; Same in Clojure.
(require '[clojure.string :as s])
(s/upper-case "abc") ;; expect: "ABC"
(s/lower-case "ABC") ;; expect: "abc"
(s/capitalize "hELLO") ;; expect: "Hello"
(s/trim "  a  ") ;; expect: "a"
(s/join ", " [1 2 3]) ;; expect: "1, 2, 3"
(s/join ["a" "b"]) ;; expect: "ab"
(s/split "a,b,c" #",") ;; expect: ["a" "b" "c"]
(s/split-lines "a\nb") ;; expect: ["a" "b"]
(s/replace "banana" "a" "o") ;; expect: "bonono"
(s/replace-first "banana" "a" "o") ;; expect: "bonana"
(s/starts-with? "hello" "he") ;; expect: true
(s/ends-with? "hello" "lo") ;; expect: true
(s/includes? "hello" "ell") ;; expect: true
(s/blank? "  ") ;; expect: true
(s/reverse "abc") ;; expect: "cba"
(s/index-of "hello" "l") ;; expect: 2
