;; letfn with functions that sample.
(defquery q [] (letfn [(a [n] (if (zero? n) [] (conj (b (dec n)) (sample (dirac :a))))) (b [n] (if (zero? n) [] (conj (a (dec n)) (sample (dirac :b)))))] (a 3)))
(:result (first (doquery :importance q []))) ;; expect: [:a :b :a]
