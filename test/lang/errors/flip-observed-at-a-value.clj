;; A flip is true or false; (some #{x} xs) gives x, which is true for if alone.
(defquery q
  (let [x (sample (uniform-discrete 0 3))]
    (observe (flip 1) (some #{x} [1 2])) ;; expect-error: R001
    (predict :x x)))
(doquery :importance q nil)
