;; An expansion that is nested too deeply is said at the call.
(defmacro deep [n] (reduce (fn [inner _] (list '+ 1 inner)) 1 (range n)))
(deep 1000) ;; expect: 1001
(deep 100000) ;; expect-error: F009
