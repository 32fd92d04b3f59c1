;; Strings as sequences.
;; Same in Clojure.
(count "abc") ;; expect: 3
(first "abc") ;; expect: \a
(rest "abc") ;; expect: (\b \c)
(seq "abc") ;; expect: (\a \b \c)
(nth "abc" 1) ;; expect: \b
(get "abc" 5) ;; expect: nil
(last "abc") ;; expect: \c
(reverse "abc") ;; expect: (\c \b \a)
(apply str (reverse "abc")) ;; expect: "cba"
(empty? "") ;; expect: true
