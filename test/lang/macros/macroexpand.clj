;; Looking at an expansion.
;; Same in Clojure.
(defmacro inc2 [x] (list '+ x 2))
(macroexpand-1 '(inc2 5)) ;; expect: (+ 5 2)
(eval (macroexpand-1 '(inc2 5))) ;; expect: 7
