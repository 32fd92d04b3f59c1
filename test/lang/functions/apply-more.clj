;; apply of several kinds of function.
;; Same in Clojure.
(apply str ["a" "b"]) ;; expect: "ab"
(apply vector 1 [2 3]) ;; expect: [1 2 3]
(apply (fn [a b] (- a b)) [5 3]) ;; expect: 2
(apply :k [{:k 1}]) ;; expect: 1
(apply {:a 1} [:a]) ;; expect: 1
(apply hash-map [:a 1]) ;; expect: {:a 1}
(apply + nil) ;; expect: 0
(apply concat [[1] [2] [3]]) ;; expect: (1 2 3)
(apply map + [[1 2] [10 20]]) ;; expect: (11 22)
(apply + (range 1000)) ;; expect: 499500
