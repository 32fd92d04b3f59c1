;; Several numbers of parameters.
;; Same in Clojure.
(defn greet ([] (greet "you")) ([name] (str "hello " name)) ([a b] (str a " and " b)))
(greet) ;; expect: "hello you"
(greet "x") ;; expect: "hello x"
(greet "x" "y") ;; expect: "x and y"
((fn ([x] :one) ([x y] :two) ([x y & more] :many)) 1) ;; expect: :one
((fn ([x] :one) ([x y] :two) ([x y & more] :many)) 1 2) ;; expect: :two
((fn ([x] :one) ([x y] :two) ([x y & more] :many)) 1 2 3) ;; expect: :many
