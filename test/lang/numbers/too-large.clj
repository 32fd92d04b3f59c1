;; There is an end to integers: a single operation on them must not take for ever.
(count (str (reduce *' (range 1 1000)))) ;; expect: 2565
(bigint (apply str (repeat 1000000 "1"))) ;; expect-error: R009
