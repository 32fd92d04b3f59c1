;; Functions of Anglican are called from Clojure with a continuation and a state before their arguments.
(defm twice [x] (* 2 x))
(defn value-of [v state] v)
(trampoline (twice value-of nil 21)) ;; expect: 42
(trampoline ((fm [f xs] (map f xs)) value-of {} inc [1 2])) ;; expect: (2 3)
(trampoline ((fm [] (reduce + [1 2 3])) value-of nil)) ;; expect: 6
(trampoline ((fm self [n] (if (= n 0) :done (self (- n 1)))) (fn [v s] [v s]) :state 10)) ;; expect: [:done :state]
;; Anything else is the usual mistake.
(try (apply twice [1 2 3]) (catch IllegalArgumentException e :arity)) ;; expect: :arity
((fm [x] x) 1 2 3) ;; expect-error: R002
