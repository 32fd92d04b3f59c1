;; SPDX-License-Identifier: Apache-2.0
;; Sorting by functions of the program: a stable merge sort. Comparators that are natives are left to the native sort.

(defn %comes-before? [before x y]
  (let [order (before x y)]
    (if (number? order) (< order 0) order)))

(defn %merge-sorted [before a b]
  (loop [a a b b done nil]
    (if (nil? a)
      (%append-reversed done b)
      (if (nil? b)
        (%append-reversed done a)
        (if (%comes-before? before (first b) (first a))
          (recur a (next b) (cons (first b) done))
          (recur (next a) b (cons (first a) done)))))))

(defn %sort-part [before v from to]
  (if (= 1 (- to from))
    (list (%vector-nth v from))
    (let [middle (quot (+ from to) 2)]
      (%merge-sorted before (%sort-part before v from middle) (%sort-part before v middle to)))))

(defn %sort-vector [before v]
  (if (empty? v)
    ()
    (%sort-part before v 0 (count v))))

(defn sort
  "The elements in order, by compare or by a comparator: a predicate or a function that gives a number."
  ([coll] (%sort nil coll))
  ([before coll]
   (if (%native-comparator? before)
     (%sort before coll)
     (%sort-vector before (vec coll)))))

(defn sort-by
  "The elements in the order of their keys (f x)."
  ([f coll] (sort-by f nil coll))
  ([f before coll]
   (let [v (vec coll)
         keys (mapv f v)]
     (if (%native-comparator? before)
       (%sort-by-keys before keys v)
       (%reverse-list
         (%map-seq second
                   (seq (%sort-vector (fn [x y] (before (first x) (first y)))
                                      (mapv vector keys v)))))))))

(defn %without-equal-neighbours [before sorted]
  ;; Of entries that the comparator takes for equal, the last one stays.
  (loop [s (seq sorted) done nil]
    (if s
      (recur (next s)
             (if (if done (not (%comes-before? before (first (first done)) (first (first s)))) false)
               (cons (first s) (rest done))
               (cons (first s) done)))
      (%reverse-list done))))

(defn %ordered-entries [before pairs]
  (%without-equal-neighbours
    before
    (%sort-vector (fn [x y] (%comes-before? before (first x) (first y))) pairs)))

(defn sorted-map-by
  "A map whose keys are in the order of a comparator."
  [before & keys-and-values]
  (if (%native-comparator? before)
    (apply %sorted-map-by before keys-and-values)
    (%sorted-map-from-ordered
      before
      (apply concat (%ordered-entries before (mapv vec (partition 2 keys-and-values)))))))

(defn sorted-set-by
  "A set whose items are in the order of a comparator."
  [before & items]
  (if (%native-comparator? before)
    (apply %sorted-set-by before items)
    (%sorted-set-from-ordered before (map first (%ordered-entries before (mapv vector items))))))

(defn %into-ordered [to from]
  (let [before (%comparator to)]
    (if (map? to)
      (%sorted-map-from-ordered
        before
        (apply concat (%ordered-entries before (mapv vec (concat to (if (map? from) (seq from) from))))))
      (%sorted-set-from-ordered
        before
        (map first (%ordered-entries before (mapv vector (concat to from))))))))

(defn %order-of [coll x y]
  (let [before (%comparator coll)]
    (if before
      (cond
        (%comes-before? before x y) -1
        (%comes-before? before y x) 1
        :else 0)
      (compare x y))))

(defn %subseq [coll test k]
  (let [key-of (if (map? coll) key identity)]
    (filterv (fn [entry] (test (%order-of coll (key-of entry) k) 0)) (seq coll))))

(defn subseq
  "The entries of a sorted collection whose keys stand in the relation (<, <=, > or >=) to k."
  ([coll test k] (seq (%subseq coll test k)))
  ([coll start-test start end-test end]
   (let [key-of (if (map? coll) key identity)]
     (seq (filterv (fn [entry] (end-test (%order-of coll (key-of entry) end) 0))
                   (%subseq coll start-test start))))))

(defn rsubseq
  "As subseq, in the opposite order."
  ([coll test k] (seq (reverse (%subseq coll test k))))
  ([coll start-test start end-test end]
   (seq (reverse (subseq coll start-test start end-test end)))))
