;; recur with the wrong number of arguments.
(loop [a 1 b 2] (if (= a 5) b (recur (inc a)))) ;; expect-error: F004
