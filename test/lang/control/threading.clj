;; -> puts the value first, ->> last.
;; Same in Clojure.
(-> 1 inc) ;; expect: 2
(-> 5 (- 3)) ;; expect: 2
(->> 5 (- 3)) ;; expect: -2
(-> {:a {:b 1}} :a :b) ;; expect: 1
(->> [1 2 3] (map inc) (filter even?) (reduce +)) ;; expect: 6
(-> [1 2] (conj 3) count) ;; expect: 3
(->> (range 10) (take 3) (apply +)) ;; expect: 3
(-> 1 (+ 2) (* 3) str) ;; expect: "9"
(-> "a" (str "b") (str "c")) ;; expect: "abc"
