;; A string over several lines is one form, which ends on its last line.
;; Same in Clojure.
"one
two" ;; expect: "one\ntwo"
(count "one
two") ;; expect: 7
