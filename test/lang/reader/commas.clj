;; Commas are white space.
;; Same in Clojure.
[1, 2,, 3] ;; expect: [1 2 3]
{:a 1, :b 2} ;; expect: {:a 1, :b 2}
