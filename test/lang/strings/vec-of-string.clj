;; A string as a collection.
;; Same in Clojure.
(vec "abc") ;; expect: [\a \b \c]
(sort (set "aab")) ;; expect: (\a \b)
(frequencies "aab") ;; expect: {\a 2, \b 1}
(map int "AB") ;; expect: (65 66)
(apply str (interpose "-" "abc")) ;; expect: "a-b-c"
(sort "bca") ;; expect: (\a \b \c)
