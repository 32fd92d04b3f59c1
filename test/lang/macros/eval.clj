;; eval of data.
;; Same in Clojure.
(eval '(+ 1 2)) ;; expect: 3
(eval (list '* 2 3)) ;; expect: 6
(def x 5)
(eval 'x) ;; expect: 5
(eval '(let [y 2] (* y y))) ;; expect: 4
((eval '(fn [n] (inc n))) 1) ;; expect: 2
