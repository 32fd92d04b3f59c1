;; condition has the truth of if: anything but false and nil.
(defquery q
  (let [x (sample (uniform-discrete 0 4))]
    (condition (some #{x} [1 2 3]))
    (condition (> x 1))
    x))
(sort (distinct (map :result (take 200 (doquery :lmh q nil))))) ;; expect: (2 3)
