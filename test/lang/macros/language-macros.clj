;; macroexpand of the language's own macros.
;; Same in Clojure.
(macroexpand-1 '(when a b c)) ;; expect: (if a (do b c))
(macroexpand '(when a b c)) ;; expect: (if a (do b c))
(macroexpand-1 '(when-not a b)) ;; expect: (if a nil (do b))
(macroexpand-1 '(if-not a b c)) ;; expect: (if (clojure.core/not a) b c)
(macroexpand-1 '(cond a 1 :else 2)) ;; expect: (if a 1 (clojure.core/cond :else 2))
(macroexpand-1 '(-> x (f 1) g)) ;; expect: (g (f x 1))
(macroexpand-1 '(->> x (f 1) g)) ;; expect: (g (f 1 x))
(macroexpand-1 '(.. a b (c 1))) ;; expect: (.. (. a b) (c 1))
(macroexpand '(.. a b (c 1))) ;; expect: (. (. a b) (c 1))
(macroexpand-1 '(and)) ;; expect: true
(macroexpand-1 '(and a)) ;; expect: a
(macroexpand-1 '(or)) ;; expect: nil
(first (macroexpand-1 '(or a b))) ;; expect: clojure.core/let
(macroexpand-1 '(defn f [x] x)) ;; expect: (def f (clojure.core/fn ([x] x)))
(macroexpand-1 '(comment a b)) ;; expect: nil
(macroexpand-1 '(f x)) ;; expect: (f x)
(macroexpand-1 'x) ;; expect: x
(macroexpand-1 '(if a b c)) ;; expect: (if a b c)
(eval (macroexpand '(-> 3 (- 1) inc))) ;; expect: 3
(eval (macroexpand-1 '(and 1 2 3))) ;; expect: 3
(defmacro unless [test & body] `(when (not ~test) ~@body))
(eval (macroexpand '(unless false 7))) ;; expect: 7
