;; SPDX-License-Identifier: Apache-2.0
;; Draws of every kind on their way through a program: what single-site steps must follow (record/dataflow.hpp).

(defquery vectors-by-index
  (let [z (sample (uniform-discrete 0 3))
        parts [{:mu 0 :f inc} {:mu (sample (normal 1 1)) :f dec} {:mu 3 :f (fn [x] (* x x))}]
        part (nth parts z)]
    (observe (normal (:mu part) 1) 1.5)
    (predict :f ((:f part) 2))
    (predict :part (dissoc part :f))
    (predict :mu (get-in parts [z :mu]))
    (predict :call ((parts z) :mu))))

(defquery chosen-functions
  (let [f (get [+ - *] (sample (discrete [1 2 1])))
        g (if (sample (flip 0.4)) (fn [x] (+ x 1)) (fn [x] (* x 2)))]
    (predict :f (f 3 4))
    (predict :g (g 10))
    (predict :apply (apply f [1 2 3]))
    (observe (normal (f 1 (g 1)) 2) 2)))

(defquery vector-draws
  (let [p (sample (dirichlet [1.0 2.0 3.0]))
        [a b c] p
        x (sample (mvn [0 0] [[1 0.5] [0.5 2]]))
        total (reduce + x)]
    (observe (discrete p) 2)
    (observe (normal total 1) (count p))
    (predict :sum (+ a b c))
    (predict :max (apply max x))
    (predict :doubled (mapv #(* 2 %) x))
    (predict :p p)
    (predict :flat (flatten [p x 1]))
    (predict :shape (shape [x x]))))

(defquery maps-by-key
  (let [k (sample (categorical {:a 1 :b 2 :c 3}))
        m (assoc {:a 1 :b 2} k 10)
        n (update m :a inc)]
    (observe (poisson (get n k 1)) 7)
    (predict :keys (sort (keys m)))
    (predict :m m)
    (predict :in (contains? m :c))
    (predict :merged (merge {:z 0} m {k (str k)}))
    (predict :found (find m k))
    (predict :as-key (get {1 :one 10 :ten 2 :two} (m :b)))))

(defquery clusters
  (let [points [0.1 0.3 2.5 2.7 2.6]
        zs (mapv (fn [_] (sample (uniform-discrete 0 3))) points)
        sizes (frequencies zs)
        by (group-by (fn [i] (nth zs i)) (range 5))]
    (doseq [[x z] (map vector points zs)]
      (observe (normal z 1) x))
    (predict :sizes (sort-by key sizes))
    (predict :groups (into (sorted-map) by))
    (predict :distinct (count (distinct zs)))
    (predict :same (= (nth zs 0) (nth zs 1)))
    (predict :zs zs)))

(defquery words
  (let [w (sample (categorical {"ab" 1 "cde" 1 "" 1}))
        s (str w "-" (sample (flip 0.5)))]
    (observe (poisson (inc (count w))) 3)
    (predict :s s)
    (predict :up (clojure.string/upper-case s))
    (predict :empty (empty? w))
    (predict :chars (vec w))))

(defquery loops-of-random-length
  (let [n (sample (poisson 2))
        xs (loop [i 0 xs []] (if (< i n) (recur (inc i) (conj xs (sample (normal i 1)))) xs))]
    (observe (normal (reduce + 0 xs) 1) 3)
    (predict :n n)
    (predict :xs xs)))

(defquery functions-of-draws
  (let [x (sample (normal 0 1))
        f (mem (fn [k] (sample (normal (+ x k) 1))))
        a (atom 0)]
    (swap! a + x)
    (swap! a (fn [v] (+ v (f 1))))
    (store :k (f 2))
    (observe (normal @a 1) 1)
    (observe (normal (retrieve :k) 1) 0.5)
    (predict :a @a)
    (predict :same (= (f 1) (f 1)))))

(defquery memo-of-draws
  (let [z (sample (uniform-discrete 0 2))
        f (mem (fn [k] (sample (normal k 1))))]
    (observe (normal (f z) 1) 0.7)
    (observe (normal (f 0) 1) 0.2)
    (predict :f [(f z) (f 0)])))

(defquery caught
  (let [i (sample (uniform-discrete 0 4))
        v (try (nth [10 20] i) (catch Exception e -1))
        w (try (if (> i 2) (throw (ex-info "far" {:i i})) i) (catch Exception e (:i (ex-data e))))]
    (observe (normal v 5) 12)
    (predict :v v)
    (predict :w w)))

(defquery processes
  (let [[p z] (loop [i 0 p (CRP 1.0) zs []]
                (if (= i 6)
                  [p zs]
                  (let [z (sample (produce p))] (recur (inc i) (absorb p z) (conj zs z)))))]
    (observe (poisson (count (distinct z))) 2)
    (observe (produce p) 0)
    (predict :z z)))

(defquery conditions
  (let [x (sample (normal 0 1))
        k (sample (uniform-discrete 0 5))
        word (case k 0 :zero 1 :one (2 3) :few :many)
        sign (cond (pos? x) 1 (neg? x) -1 :else 0)
        nothing (when (> k 3) x)]
    (observe (normal (if nothing nothing 0) 1) 0.5)
    (predict :word word)
    (predict :sign sign)
    (predict :nothing nothing)
    (predict :or (or nothing k))
    (predict :not (not (and nothing (even? k))))
    (predict :nil (nil? nothing))
    (predict :some (some #{k} [1 2 3]))))

(defquery sequences
  (let [n (sample (uniform-discrete 1 4))
        xs (repeatedly 3 (fn [] (sample (normal 0 1))))
        ys (cons n xs)
        zs (concat ys [1 2])]
    (observe (normal (nth ys 1) 1) 1)
    (observe (normal (apply + (take n xs)) 1) (first xs))
    (predict :sorted (= (sort xs) (sort (reverse xs))))
    (predict :rest (rest ys))
    (predict :last (last zs))
    (predict :take (take n zs))
    (predict :filter (filter pos? ys))
    (predict :partition (partition 2 zs))
    (predict :interleaved (interleave xs ys))
    (predict :reduced (reduce (fn [s x] (if (> s 1) (reduced s) (+ s x))) 0 zs))))

(defrecord Point [x y])
(defquery records
  (let [p (->Point (sample (normal 0 1)) (sample (uniform-discrete 0 3)))
        q (assoc p :x (* 2 (:x p)))]
    (observe (normal (:x q) 1) 1)
    (predict :q [(:x q) (:y q) (= p q)])))

(defquery laws-that-change
  (let [z (sample (flip 0.5))
        x (sample (if z (normal 0 1) (exponential 1)))
        y (sample (if z (normal x 1) (normal 5 2)))
        w (sample (uniform-continuous 0 (if z 1 2)))
        u (sample (uniform-discrete 0 (if z 2 5)))]
    (observe (normal (+ x y w u) 1) 3)
    (predict :all [z x y w u])))

(defquery impossible-values
  (let [k (sample (uniform-discrete 0 6))
        xs (vec (range 3))]
    (observe (uniform-discrete 0 (inc k)) 2)
    (observe (discrete (if (< k 5) [1 1 1] [0 0 1])) (mod k 3))
    (predict :k k)
    (predict :nth (get xs k :none))))

(defm walk [n x] (if (= n 0) x (walk (dec n) (sample (normal (* 0.9 x) 1)))))
(defquery recursion
  (let [ends (mapv (fn [i] (walk i 0.0)) [1 3 5])]
    (observe (normal (nth ends 2) 0.5) 1)
    (predict :ends ends)
    (predict :matrix (mmul [[1 2 3] [4 5 6]] ends))))

;; A discrete draw decides whether the other one piles up at zero, and so whether it moves along a gradient.
(defquery held-or-moving
  (let [z (sample (uniform-discrete 0 2))
        k (sample (uniform-discrete 0 3))
        x (sample (gamma (nth [0.1 0.01] z) 1))]
    (observe (normal (+ x k) 1) 1)
    (predict :all [z k x])))

;; A sequence of keys and values is made into a map: a key that is drawn is looked at.
(defquery keyword-arguments
  (let [z (sample (uniform-discrete 0 3))
        f (fn [& {:keys [a b] :or {b 4}}] [a b])
        {:keys [a]} (list (get [:a :b :c] z) 7)]
    (observe (normal (if a a z) 2) 1)
    (predict :f (f (get [:a :b :c] z) z))
    (predict :a a)))

;; Functions are equal to themselves only, however often what they refer to changes.
(defquery equal-to-itself
  (let [z (sample (uniform-discrete 0 2))
        v [z (/ 0.0 0.0)]
        f (fn [x] (+ x z))
        g (fn [x] (+ x z))]
    (observe (normal (f 1) 1) (if (= f f) 1 2))
    (predict :same [(= f f) (= f g) (= [f] [f]) (= v v)])
    (predict :keys [(get {f 1} f) (get {[f] 1} [f]) (get {f 1} g)])
    (predict :distinct [(count (set [f f g])) (count (distinct [f g f]))])
    (predict :chosen (= f (get [f g] z)))))

(defquery identical-objects
  (let [z (sample (uniform-discrete 0 2))
        v [z]]
    (observe (normal z 1) 1)
    (predict :same [(identical? v v) (identical? v [z]) (identical? v (get [v [1]] z))])))

;; Copies of sequences are of the same kind.
(defquery kinds-of-sequences
  (let [x (sample (normal 0 1))
        part (rest [x 1 2])
        mapped (map inc [x 1])]
    (observe (normal x 1) 1)
    (predict :lists (mapv list? [(first (distinct [part])) (first (distinct [mapped]))]))
    (predict :types (mapv type [(first (distinct [part])) (first (distinct [mapped]))]))
    (predict :last (last (sort-by first [mapped part])))))

;; A lazy sequence is chosen before anybody has looked at it.
(defquery chosen-lazy-sequences
  (let [z (sample (uniform-discrete 0 3))
        ls [(lazy-seq (list 1 7)) (lazy-seq (list 2 (sample (normal z 1)))) (iterate inc z)]]
    (observe (normal z 1) 1)
    (predict :first (first (nth ls z)))
    (predict :l (nth [(lazy-seq [z]) (lazy-seq [1 2]) (lazy-seq nil)] z))
    (nth [(lazy-seq [3 4]) (lazy-seq [z 2]) (lazy-seq nil)] z)))

;; What a draw leads to stands on the way of a path, or in a key.
(defquery paths
  (let [x (sample (normal 0 1))
        m {:in (into {} [[:x x]])}]
    (observe (normal (get-in m [:in :x] 0.75) 1) 1)
    (predict :path (get-in m [:in :x] :none))))

(defquery stored-by-key
  (let [z (sample (uniform-discrete 0 3))
        x (sample (normal 0 1))
        key [:at z]]
    (store key x)
    (observe (normal (+ x z) 1) 1)
    (predict :deeper (assoc-in {:in (into {} [[:x x]])} [:in :y] z))
    (predict :stored [(retrieve key) (retrieve [:at 1])])))

;; The result is not a predict, and metadata are not seen: almh does not choose draws for changing them.
(defquery result-that-is-not-predicted
  (let [z (sample (uniform-discrete 0 3))
        x (sample (normal z 1))]
    (observe (normal x 1) 1)
    (predict :x x)
    (predict :meta (with-meta [1 2] {:z z}))
    (predict :rest (rest [(sample (uniform-discrete 0 3)) 1 2]))
    [z (sample (categorical {:a 1 :b 2 :c 1}))]))
