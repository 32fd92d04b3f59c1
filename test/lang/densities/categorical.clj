;; categorical over any values, weights need not sum to one.
(format "%.4f" (observe* (categorical [[:a 1] [:b 3]]) :b)) ;; expect: "-0.2877"
(format "%.4f" (observe* (categorical {:a 1 :b 3}) :a)) ;; expect: "-1.3863"
(format "%.4f" (observe* (categorical [["x" 0.5] ["y" 0.5]]) "y")) ;; expect: "-0.6931"
(observe* (categorical [[:a 1]]) :z) ;; expect: ##-Inf
