;; Host code over results, as worksheets write it.
(defquery coin [] (sample (dirac :heads)))
(def samples (take 10 (doquery :importance coin nil)))
(->> samples (map :result) frequencies) ;; expect: {:heads 10}
(->> samples (map :result) (#(count %))) ;; expect: 10
(format "%.2f" (/ (count (filter #(= :heads %) (map :result samples))) 10.0)) ;; expect: "1.00"
