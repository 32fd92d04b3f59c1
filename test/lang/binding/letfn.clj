;; Local functions that see each other.
;; Same in Clojure.
(letfn [(ev? [n] (if (= n 0) true (od? (dec n)))) (od? [n] (if (= n 0) false (ev? (dec n))))] (ev? 10)) ;; expect: true
(letfn [(f [x] (* 2 x))] (f 4)) ;; expect: 8
(letfn [(f ([x] (f x 1)) ([x y] (+ x y)))] (f 5)) ;; expect: 6
