;; def inside a body defines a global when the body runs.
;; Same in Clojure.
(defn set-up [x] (def made x) (inc made))
(set-up 1) ;; expect: 2
made ;; expect: 1
(set-up 10) ;; expect: 11
made ;; expect: 10
(let [n 5] (defn add-n [x] (+ x n)))
(add-n 1) ;; expect: 6
(when true (def in-when :yes))
in-when ;; expect: :yes
(do (def a 1) (def b (+ a 1)))
b ;; expect: 2
(defn later [] (defn inner [y] (* 2 y)) (inner 4))
(later) ;; expect: 8
(inner 5) ;; expect: 10
