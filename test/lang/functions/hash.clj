;; Functions are equal to themselves only and have hashes of their own, so that maps and memos keyed by them stay fast.
(defn hashes [fs] (count (set (map hash fs))))
(> (hashes (map (fn [i] (fn [] i)) (range 1000))) 980) ;; expect: true
(defn constantly-of [v] (fn [x] v))
(> (hashes (doall (repeatedly 1000 (fn [] (constantly-of []))))) 980) ;; expect: true
(hashes [(fn [x] x) (fn [x] x) inc map]) ;; expect: 4
(let [f (fn [x] x) g (fn [x] x)] [(get {f 1} f) (get {f 1} g) (= (hash f) (hash f))]) ;; expect: [1 nil true]
(defquery q [] (let [fs (mapv (fn [i] (fn [] i)) (range 3000)) m (zipmap fs (range 3000)) h (mem (fn [f] (f)))] [(reduce + (map h fs)) (get m (nth fs 17)) (> (hashes fs) 2900)]))
(:result (first (doquery :importance q []))) ;; expect: [4498500 17 true]
