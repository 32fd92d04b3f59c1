;; Collection literals evaluate their parts.
;; Same in Clojure.
[1 (+ 1 1) "three"] ;; expect: [1 2 "three"]
{:a (+ 1 2)} ;; expect: {:a 3}
#{(+ 1 1)} ;; expect: #{2}
[[] {} #{} ()] ;; expect: [[] {} #{} ()]
'(1 (2 3) [4]) ;; expect: (1 (2 3) [4])
