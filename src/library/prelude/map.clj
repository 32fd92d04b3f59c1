;; SPDX-License-Identifier: Apache-2.0
;; map, filter and their relatives. Inside a query they are eager: they walk the whole sequence, because programs observe
;; inside map for its effect. At top level they are lazy. Vectors are walked by index: no sequence cells are built.

(defn %map-vector [f v]
  (let [n (count v)]
    (loop [i 0 done nil]
      (if (< i n)
        (recur (inc i) (cons (f (%vector-nth v i)) done))
        done))))

(defn %map-seq [f s]
  (loop [s s done nil]
    (if s
      (recur (next s) (cons (f (first s)) done))
      done)))

(defn %map-reversed [f coll]
  (if (vector? coll)
    (%map-vector f coll)
    (%map-seq f (seq coll))))

(defn %map-lazy [f coll]
  (lazy-seq
    (let [s (seq coll)]
      (if s
        (cons (f (first s)) (%map-lazy f (rest s)))
        nil))))

(defn %map-reversed-2 [f a b]
  (loop [a (seq a) b (seq b) done nil]
    (if (if a b false)
      (recur (next a) (next b) (cons (f (first a) (first b)) done))
      done)))

(defn %map-lazy-2 [f a b]
  (lazy-seq
    (let [a (seq a)
          b (seq b)]
      (if (if a b false)
        (cons (f (first a) (first b)) (%map-lazy-2 f (rest a) (rest b)))
        nil))))

(defn %seqs
  ;; The sequences of all collections, or nil when one is empty.
  [colls]
  (loop [cs (seq colls) done nil]
    (if cs
      (let [s (seq (first cs))]
        (if s (recur (next cs) (cons s done)) nil))
      (%reverse-list done))))

(defn %firsts [seqs]
  (%reverse-list (%map-seq first (seq seqs))))

(defn %rests [seqs]
  (%reverse-list (%map-seq rest (seq seqs))))

(defn %map-reversed-all [f colls]
  (loop [seqs (%seqs colls) done nil]
    (if seqs
      (let [x (apply f (%firsts seqs))]
        (recur (%seqs (%rests seqs)) (cons x done)))
      done)))

(defn %map-lazy-all [f colls]
  (lazy-seq
    (let [seqs (%seqs colls)]
      (if seqs
        (cons (apply f (%firsts seqs)) (%map-lazy-all f (%rests seqs)))
        nil))))

(defn map
  "The values of f for the elements of coll (for the first elements of all colls, then the second ones, and so on)."
  ([f] (%mapping f))
  ([f coll]
   (if (%in-query?)
     (%reverse-list-or-nil (%map-reversed f coll))
     (%map-lazy f coll)))
  ([f a b]
   (if (%in-query?)
     (%reverse-list-or-nil (%map-reversed-2 f a b))
     (%map-lazy-2 f a b)))
  ([f a b & more]
   (if (%in-query?)
     (%reverse-list-or-nil (%map-reversed-all f (cons a (cons b more))))
     (%map-lazy-all f (cons a (cons b more))))))

(defn pmap
  "The same as map."
  [f & colls]
  (apply map f colls))

(defn mapv
  "The values of f for the elements, as a vector."
  ([f coll] (%reverse-vector (%map-reversed f coll)))
  ([f a b] (%reverse-vector (%map-reversed-2 f a b)))
  ([f a b & more] (%reverse-vector (%map-reversed-all f (cons a (cons b more))))))

(defn %map-indexed-reversed [f coll]
  (loop [i 0 s (seq coll) done nil]
    (if s
      (recur (inc i) (next s) (cons (f i (first s)) done))
      done)))

(defn %map-indexed-lazy [f i coll]
  (lazy-seq
    (let [s (seq coll)]
      (if s
        (cons (f i (first s)) (%map-indexed-lazy f (inc i) (rest s)))
        nil))))

(defn map-indexed
  "The values of f for 0 and the first element, 1 and the second, and so on."
  ([f] (%mapping-indexed f))
  ([f coll]
   (if (%in-query?)
     (%reverse-list (%map-indexed-reversed f coll))
     (%map-indexed-lazy f 0 coll))))

(defn %mapcat-reversed [f coll]
  (loop [s (seq coll) done nil]
    (if s
      (recur (next s) (%push-all done (f (first s))))
      done)))

(defn %mapcat-lazy [f coll]
  (lazy-seq
    (let [s (seq coll)]
      (if s
        (%concat-two (f (first s)) (list (%mapcat-lazy f (rest s))))
        nil))))

(defn mapcat
  "The elements of all the sequences that f gives for the elements of coll."
  ([f] (comp (%mapping f) cat))
  ([f coll]
   (if (%in-query?)
     (%reverse-list (%mapcat-reversed f coll))
     (%mapcat-lazy f coll)))
  ([f a & more]
   (mapcat identity (apply map f a more))))

(defn %mapcat-while-reversed [f coll]
  (loop [s (seq coll) done nil]
    (if s
      (let [xs (f (first s))]
        (if (= xs '%stop)
          done
          (recur (next s) (%push-all done xs))))
      done)))

(defn %mapcat-while-lazy [f coll]
  (lazy-seq
    (let [s (seq coll)]
      (if s
        (let [xs (f (first s))]
          (if (= xs '%stop)
            nil
            (%concat-two xs (list (%mapcat-while-lazy f (rest s))))))
        nil))))

(defn %mapcat-while [f coll]
  (if (%in-query?)
    (%reverse-list (%mapcat-while-reversed f coll))
    (%mapcat-while-lazy f coll)))

(defn %filter-reversed [pred coll]
  (if (vector? coll)
    (let [n (count coll)]
      (loop [i 0 done nil]
        (if (< i n)
          (let [x (%vector-nth coll i)]
            (recur (inc i) (if (pred x) (cons x done) done)))
          done)))
    (loop [s (seq coll) done nil]
      (if s
        (let [x (first s)]
          (recur (next s) (if (pred x) (cons x done) done)))
        done))))

(defn %filter-lazy [pred coll]
  (lazy-seq
    (loop [s (seq coll)]
      (if s
        (let [x (first s)]
          (if (pred x)
            (cons x (%filter-lazy pred (rest s)))
            (recur (next s))))
        nil))))

(defn filter
  "The elements for which pred holds."
  ([pred] (%filtering pred))
  ([pred coll]
   (if (%in-query?)
     (if (empty? coll)
       coll
       (%reverse-list (%filter-reversed pred coll)))
     (%filter-lazy pred coll))))

(defn filterv
  "The elements for which pred holds, as a vector."
  [pred coll]
  (%reverse-vector (%filter-reversed pred coll)))

(defn remove
  "The elements for which pred does not hold."
  ([pred] (%filtering (complement pred)))
  ([pred coll]
   (filter (fn [x] (not (pred x))) coll)))

(defn %keep-reversed [f coll]
  (loop [s (seq coll) done nil]
    (if s
      (let [x (f (first s))]
        (recur (next s) (if (nil? x) done (cons x done))))
      done)))

(defn %keep-lazy [f coll]
  (lazy-seq
    (loop [s (seq coll)]
      (if s
        (let [x (f (first s))]
          (if (nil? x)
            (recur (next s))
            (cons x (%keep-lazy f (rest s)))))
        nil))))

(defn keep
  "The values of f for the elements that are not nil."
  ([f] (%keeping f))
  ([f coll]
   (if (%in-query?)
     (%reverse-list (%keep-reversed f coll))
     (%keep-lazy f coll))))

(defn %keep-indexed-lazy [f i coll]
  (lazy-seq
    (loop [i i s (seq coll)]
      (if s
        (let [x (f i (first s))]
          (if (nil? x)
            (recur (inc i) (next s))
            (cons x (%keep-indexed-lazy f (inc i) (rest s)))))
        nil))))

(defn keep-indexed
  "The values of f for index and element that are not nil."
  ([f] (%keeping-indexed f))
  ([f coll]
   (if (%in-query?)
     (loop [i 0 s (seq coll) done nil]
       (if s
         (let [x (f i (first s))]
           (recur (inc i) (next s) (if (nil? x) done (cons x done))))
         (%reverse-list done)))
     (%keep-indexed-lazy f 0 coll))))

(defn run!
  "Calls f on every element; the value is nil."
  [f coll]
  (if (vector? coll)
    (let [n (count coll)]
      (loop [i 0]
        (if (< i n)
          (do (f (%vector-nth coll i))
              (recur (inc i)))
          nil)))
    (loop [s (seq coll)]
      (if s
        (do (f (first s))
            (recur (next s)))
        nil))))
