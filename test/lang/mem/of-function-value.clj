;; mem of a function that is held in a variable, and of a library function.
(defm draw [x] (sample (normal x 1)))
(defquery q [] (let [f (mem draw) g (mem inc)] [(= (f 1) (f 1)) (g 1)]))
(:result (first (doquery :importance q []))) ;; expect: [true 2]
