;; Options that the engine does not have are ignored, as Anglican does, with one warning.
(defquery q [] 1)
(:result (first (doquery :importance q [] :number-of-chocolates 5))) ;; expect: 1 ;; expect-warning: I002
(:result (first (doquery :lmh q [] :hoist true :number-of-particles 10))) ;; expect-warning: I002
(dotimes [_ 3]
  (dorun (take 2 (doquery :importance q [] :number-of-particles 5)))) ;; expect-warning: I002
(defquery outer [] (sample ((conditional q :rejection :number-of-particles 7)))) ;; expect-warning: I002
(:result (first (doquery :importance outer []))) ;; expect: 1
