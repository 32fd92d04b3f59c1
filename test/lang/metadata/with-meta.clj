;; Metadata goes along with a value and takes no part in equality.
(def v (with-meta [1 2] {:a 1}))
(meta v) ;; expect: {:a 1}
(meta [1 2]) ;; expect: nil
(= v [1 2]) ;; expect: true
(= (hash v) (hash [1 2])) ;; expect: true
v ;; expect: [1 2]
(get {[1 2] :found} v) ;; expect: :found
(meta (with-meta v nil)) ;; expect: nil
(meta (with-meta v {:b 2})) ;; expect: {:b 2}
(meta (vary-meta v assoc :b 2)) ;; expect: {:a 1, :b 2}
(meta (vary-meta [1] assoc :b 2)) ;; expect: {:b 2}
(map (fn [x] (meta (with-meta x {:k 1}))) [[] {} #{} (sorted-map 1 2) (sorted-set 1) (range 3) '(1 2) () (map inc [1 2])]) ;; expect: ({:k 1} {:k 1} {:k 1} {:k 1} {:k 1} {:k 1} {:k 1} {:k 1} {:k 1})
(map (fn [x] (= x (with-meta x {:k 1}))) [[1] {1 2} #{1} (sorted-map 1 2) (range 3) '(1 2) () (map inc [1 2])]) ;; expect: (true true true true true true true true)
(with-meta '(1 2) {:k 1}) ;; expect: (1 2)
(with-meta () {:k 1}) ;; expect: ()
(def f (with-meta (fn [x] (* 2 x)) {:doc "twice"}))
(f 21) ;; expect: 42
(meta f) ;; expect: {:doc "twice"}
(meta 3) ;; expect: nil
(meta nil) ;; expect: nil
(defrecord Point [x y])
(meta (with-meta (->Point 1 2) {:k 1})) ;; expect: {:k 1}
(:y (with-meta (->Point 1 2) {:k 1})) ;; expect: 2
