;; The tag is found through calls.
(defm deep [n] (if (zero? n) (throw :found :bottom) (inc (deep (dec n)))))
(defquery q [] (catch :found (deep 100)))
(:result (first (doquery :importance q []))) ;; expect: :bottom
