;; SPDX-License-Identifier: Apache-2.0
;; Functions of Clojure's namespaces that programs use now and then, written in the language: clojure.walk, data,
;; pprint, string and math, and those of clojure.core that nothing else here depends on.

;; --- clojure.walk ---

(defn stringify-keys
  "The form with all keywords that are keys of maps as strings, in all maps inside."
  [form]
  (let [named (fn [[k v]] (if (keyword? k) [(name k) v] [k v]))]
    (postwalk (fn [x] (if (map? x) (into {} (map named x)) x)) form)))

(defn prewalk-replace
  "The form with the parts that are keys of the map replaced, parents first."
  [replacements form]
  (prewalk (fn [x] (if (contains? replacements x) (get replacements x) x)) form))

(defn %show-walk [x]
  (print "Walked: ")
  (prn x)
  x)

(defn postwalk-demo
  "Prints each part of the form, in the order of postwalk."
  [form]
  (postwalk %show-walk form))

(defn prewalk-demo
  "Prints each part of the form, in the order of prewalk."
  [form]
  (prewalk %show-walk form))

;; --- clojure.data ---

;; [only in a, only in b, in both] of values that are not equal, by the kind of collection that both are.
(defn %diff-keys [a b ks]
  (reduce (fn [[only-a only-b both] k]
            (let [in-a (contains? a k) in-b (contains? b k)
                  [x y z] (diff (get a k) (get b k))
                  same (and in-a in-b (or (not (nil? z)) (and (nil? (get a k)) (nil? (get b k)))))]
              [(if (and in-a (or (not (nil? x)) (not same))) (assoc only-a k x) only-a)
               (if (and in-b (or (not (nil? y)) (not same))) (assoc only-b k y) only-b)
               (if same (assoc both k z) both)]))
          [nil nil nil]
          ks))

(defn %diff-kind [x]
  (cond (map? x) :map (set? x) :set (sequential? x) :sequential :else :atom))

;; A map from places to values as a vector, with nil where there is none.
(defn %fill-places [m]
  (when (seq m)
    (reduce (fn [v [i x]] (assoc v i x)) (vec (repeat (inc (apply max (keys m))) nil)) m)))

(defn diff
  "[only in a, only in b, in both]: maps and sequences place by place, sets as sets, anything else as a whole."
  [a b]
  (let [kind (%diff-kind a)]
    (cond
      (= a b) [nil nil a]
      (not= kind (%diff-kind b)) [a b nil]
      (= kind :map) (apply list (%diff-keys a b (distinct (concat (keys a) (keys b)))))
      (= kind :set) [(not-empty (clojure.set/difference a b))
                     (not-empty (clojure.set/difference b a))
                     (not-empty (clojure.set/intersection a b))]
      (= kind :sequential) (let [a (vec a) b (vec b)]
                             (vec (map %fill-places (%diff-keys a b (range (max (count a) (count b)))))))
      :else [a b nil])))

;; --- clojure.pprint ---

(defn print-table
  "Prints a table of maps: a column for each key (those of the first map, unless they are given), a row for each map."
  ([rows] (print-table (keys (first rows)) rows))
  ([ks rows]
   (when (seq rows)
     (let [widths (map (fn [k] (apply max (count (str k)) (map (fn [row] (count (str (get row k)))) rows))) ks)
           cell (fn [width x] (str (apply str (repeat (- width (count (str x))) " ")) x))
           line (fn [start between end cells]
                  (println (str start (clojure.string/join between cells) end)))]
       (println)
       (line "| " " | " " |" (map cell widths ks))
       (line "|-" "-+-" "-|" (map (fn [width] (apply str (repeat width "-"))) widths))
       (doseq [row rows]
         (line "| " " | " " |" (map (fn [width k] (cell width (get row k))) widths ks)))))))

;; --- clojure.string ---

(defn %string-escape
  "The text with each character c for which (replacements c) is not nil replaced by that."
  [s replacements]
  (apply str (map (fn [c] (let [r (replacements c)] (if (nil? r) c r))) s)))

(defn re-quote-replacement
  "The text such that clojure.string/replace with a regular expression takes it literally."
  [s]
  (%string-escape s {\\ "\\\\" \$ "\\$"}))

;; --- clojure.math ---

(defn add-exact "a + b of integers; overflow is an error." [a b] (+ (long a) (long b)))
(defn subtract-exact "a - b of integers; overflow is an error." [a b] (- (long a) (long b)))
(defn multiply-exact "a * b of integers; overflow is an error." [a b] (* (long a) (long b)))
(defn increment-exact "a + 1 of an integer; overflow is an error." [a] (inc (long a)))
(defn decrement-exact "a - 1 of an integer; overflow is an error." [a] (dec (long a)))
(defn negate-exact "-a of an integer; overflow is an error." [a] (- (long a)))

(defn copy-sign
  "The size of x with the sign of y."
  [x y]
  (let [size (abs (double x)) y (double y)]
    (if (or (neg? y) (and (zero? y) (neg? (/ 1.0 y)))) (- size) size)))

;; --- clojure.core ---

(defn simple-symbol? "Whether x is a symbol without a namespace." [x] (and (symbol? x) (nil? (namespace x))))
(defn qualified-symbol? "Whether x is a symbol with a namespace." [x] (and (symbol? x) (some? (namespace x))))
(defn simple-keyword? "Whether x is a keyword without a namespace." [x] (and (keyword? x) (nil? (namespace x))))
(defn simple-ident?
  "Whether x is a symbol or keyword without a namespace."
  [x]
  (or (simple-symbol? x) (simple-keyword? x)))
(defn qualified-ident?
  "Whether x is a symbol or keyword with a namespace."
  [x]
  (and (or (symbol? x) (keyword? x)) (some? (namespace x))))

(defn bit-and-not "x with the bits of the others cleared." ([x y] (bit-and x (bit-not y)))
  ([x y & more] (reduce bit-and-not (bit-and-not x y) more)))
(defn bit-clear "x with bit n cleared." [x n] (bit-and x (bit-not (bit-shift-left 1 n))))
(defn bit-flip "x with bit n changed." [x n] (bit-xor x (bit-shift-left 1 n)))

(defn bounded-count
  "The number of items of a counted collection; of any other at most n are counted."
  [n coll]
  (if (counted? coll) (count coll) (count (take n coll))))

(defn replicate "A sequence of n times x." [n x] (take n (repeat x)))

(defn reset-vals!
  "Gives an atom a new value; gives the old and the new one."
  [a value]
  (swap-vals! a (fn [old] value)))

(defn pcalls "What functions without arguments give, in their order." [& fs] (map (fn [f] (f)) fs))

(defn iteration
  "A sequence of (vf r) for the results r of (step k), where k is initk and then (kf r), until somef or kf give nothing."
  [step & options]
  (let [{:keys [somef vf kf initk] :or {somef some? vf identity kf identity initk nil}} (apply hash-map options)
        from (fn from [r]
               (when (somef r)
                 (cons (vf r) (when-some [k (kf r)] (lazy-seq (from (step k)))))))]
    (lazy-seq (from (step initk)))))

;; Integers as Java's longs and ints, which wrap around.
(defn %wrapped [x size]
  (let [m (mod x size)] (long (if (>= (*' 2 m) size) (-' m size) m))))
(def %two-to-64 18446744073709551616N)
(def %two-to-32 4294967296)
(defn %unchecked [x] (if (integer? x) (%wrapped x %two-to-64) x))

(defn unchecked-add "x + y; integers wrap around." [x y] (%unchecked (+' x y)))
(defn unchecked-subtract "x - y; integers wrap around." [x y] (%unchecked (-' x y)))
(defn unchecked-multiply "x * y; integers wrap around." [x y] (%unchecked (*' x y)))
(defn unchecked-inc "x + 1; integers wrap around." [x] (%unchecked (inc' x)))
(defn unchecked-dec "x - 1; integers wrap around." [x] (%unchecked (dec' x)))
(defn unchecked-negate "-x; integers wrap around." [x] (%unchecked (-' x)))
(defn unchecked-long "x as an integer of 64 bits, which wraps around." [x]
  (if (integer? x) (%wrapped x %two-to-64) (long x)))
(defn unchecked-int "x as an integer of 32 bits, which wraps around." [x] (%wrapped (unchecked-long x) %two-to-32))
(defn unchecked-short "x as an integer of 16 bits, which wraps around." [x] (%wrapped (unchecked-long x) 65536))
(defn unchecked-byte "x as an integer of 8 bits, which wraps around." [x] (%wrapped (unchecked-long x) 256))
(defn unchecked-double "x as a double." [x] (double x))
(defn unchecked-float "x as a float." [x] (float x))
(defn unchecked-add-int "x + y of 32 bits, which wrap around." [x y] (unchecked-int (+' x y)))
(defn unchecked-subtract-int "x - y of 32 bits, which wrap around." [x y] (unchecked-int (-' x y)))
(defn unchecked-multiply-int "x * y of 32 bits, which wrap around." [x y] (unchecked-int (*' x y)))
(defn unchecked-inc-int "x + 1 of 32 bits, which wrap around." [x] (unchecked-int (inc' x)))
(defn unchecked-dec-int "x - 1 of 32 bits, which wrap around." [x] (unchecked-int (dec' x)))
(defn unchecked-negate-int "-x of 32 bits, which wrap around." [x] (unchecked-int (-' x)))
(defn unchecked-divide-int "x / y of integers, without the rest." [x y] (unchecked-int (quot x y)))
(defn unchecked-remainder-int "The rest of x / y." [x y] (unchecked-int (rem x y)))

;; One thread runs the program: a ref is an atom, and a transaction cannot meet another.
(defn ref
  "An atom: one thread runs the program, so that refs need no transactions."
  [x & options]
  (%outside-queries "ref")
  (atom x))
(defn ref-set "Gives a ref a new value." [r value] (%outside-queries "ref-set") (reset! r value))
(defn alter "Changes the value of a ref by a function." [r f & args]
  (%outside-queries "alter")
  (apply swap! r f args))
(defn commute "Changes the value of a ref by a function." [r f & args]
  (%outside-queries "commute")
  (apply swap! r f args))
(defn ensure "The value of a ref." [r] (%outside-queries "ensure") (deref r))

;; A future is a delay that is forced at once. What it throws is thrown by deref, as it is in Clojure.
(defn future-call
  "Calls a function without arguments at once; deref gives its value, or throws what it threw."
  [f]
  (%outside-queries "future")
  (let [outcome (try [(f)] (catch Throwable e e))
        made (delay (if (vector? outcome) (first outcome) (throw outcome)))]
    (when (vector? outcome) (force made))
    made))
(defn future-done? "Whether a future has ended: always." [x] (delay? x))
(defn future-cancelled? "Whether a future was cancelled: never." [x] false)
(defn future-cancel "Nothing can be cancelled: a future has ended when it is there." [x] false)

;; A promise is a delay whose thunk, called with a value, keeps the value.
(defn promise
  "A value that is given later by deliver. deref before that is an error: no other thread could give it."
  []
  (%outside-queries "promise")
  (let [given (atom nil)]
    (%delay (fn
              ([] (if (nil? @given)
                    (throw (IllegalStateException. "deref: nothing was delivered to this promise, and no other thread can"))
                    (first @given)))
              ([value] (reset! given [value]))))))
(defn deliver
  "Gives a promise its value, once."
  [p value]
  (when-some [give (%waiting-thunk p)]
    (give value)
    (force p)
    p))
