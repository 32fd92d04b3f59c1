;; Tables, lists, grids, formulas and pictures.
(table-view [[1 "a"] '(2 "b")] :columns ["n" "s"]) ;; expect: {:chancel/view :table, :rows [[1 "a"] [2 "b"]], :options {:columns ["n" "s"]}}
(table-view [{:a 1 :b 2} {:a 3}]) ;; expect: {:chancel/view :table, :rows [[1 2] [3 nil]], :options {:columns [:a :b]}}
(:items (list-view (map inc [1 2]))) ;; expect: [2 3]
(:rows (grid-view (partition 2 (range 4)))) ;; expect: [[0 1] [2 3]]
(html-view "<b>x</b>") ;; expect: {:chancel/view :html, :text "<b>x</b>"}
(latex-view "x^2") ;; expect: {:chancel/view :latex, :text "x^2"}
(:rows (image-view [[0 1] [1/2 0.25]])) ;; expect: [[0.0 1.0] [0.5 0.25]]
