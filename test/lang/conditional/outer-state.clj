;; State of the outer query is seen by the inner one, and the inner one's own is not mixed up with it.
(defquery inner [f a]
  (let [g (mem (fn [i] (* 1000 i)))
        b (atom 77)]
    (reset! b 78)
    [(g 1) (f 1) @b @a]))
(defquery outer []
  (let [f (mem (fn [i] (* 10 i)))
        a (atom 5)
        before (f 1)]
    (reset! a 6)
    (sample ((conditional inner :importance) f a))))
(:result (first (doquery :importance outer nil))) ;; expect: [1000 10 78 6]
