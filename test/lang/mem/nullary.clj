;; A memoised draw without arguments.
(defquery q [] (let [x (mem (fn [] (sample (normal 0 1))))] (= (x) (x))))
(:result (first (doquery :importance q []))) ;; expect: true
