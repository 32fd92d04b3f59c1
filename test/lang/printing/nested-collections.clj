;; Collections in collections.
;; Same in Clojure.
(pr-str [[1 2] '(3 (4)) #{5} {:a {:b [6]}}]) ;; expect: "[[1 2] (3 (4)) #{5} {:a {:b [6]}}]"
[(list) [] {} #{}] ;; expect: [() [] {} #{}]
{:k '(a b)} ;; expect: {:k (a b)}
