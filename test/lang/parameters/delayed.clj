;; Draws that are put off cannot be given.
(defquery q [] (let [a (sample (normal 0 1))] (observe (normal a 1) 2) a))
(first (doquery :pgibbs q [] :number-of-particles 5 :parameters :auto :delayed true)) ;; expect-error: I002
