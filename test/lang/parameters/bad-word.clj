;; The option is a word or a vector.
(defquery q [] (let [a (sample (normal 0 1))] (observe (normal a 1) 2) a))
(first (doquery :pgibbs q [] :number-of-particles 5 :parameters :some)) ;; expect-error: I002
