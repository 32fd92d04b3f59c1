;; The last part of a form may be a chain of any length.
(defmacro all [n] (cons 'and (repeat n true)))
(defmacro none [n] (cons 'or (repeat n false)))
(if (all 20000) 1 2) ;; expect: 1
(if (none 20000) 1 2) ;; expect: 2
(all 1000) ;; expect: true
(none 1000) ;; expect: false
(defmacro choose [n] (cons 'cond (concat (mapcat (fn [i] [(list '= i -1) i]) (range n)) [:else :none])))
(choose 20000) ;; expect: :none
(defmacro pick [x n] (concat ['case x] (mapcat (fn [i] [i (* 2 i)]) (range n)) [:none]))
(pick 19999 20000) ;; expect: 39998
(pick -1 20000) ;; expect: :none
(let [x 3] (when (= x 3) (if (> x 2) (if-let [y (first [x])] (when y (and x y (or nil y))))))) ;; expect: 3
(let [x 3] [(and x nil) (and nil x) (or nil x) (or x nil) (and) (or) (if x x) (if nil x) (if nil x x)]) ;; expect: [nil nil 3 3 true nil 3 nil 3]
