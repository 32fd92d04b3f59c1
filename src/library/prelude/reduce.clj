;; SPDX-License-Identifier: Apache-2.0
;; reduce and what is like it. reduce over a vector is the hottest function of the library: %reduce-vector is an instruction.
;; The sequence loops live in functions of their own that get the sequence itself, so that nothing holds on to its head.

(defn %reduce-seq [f init s]
  (loop [s s acc init]
    (if s
      (let [next-acc (f acc (first s))]
        (if (reduced? next-acc)
          (unreduced next-acc)
          (recur (next s) next-acc)))
      acc)))

(defn reduce
  "f of init and the first element, then f of that and the second, and so on; without init it starts with the first element."
  ([f coll]
   (if (vector? coll)
     (let [n (count coll)]
       (if (< 0 n)
         (%reduce-vector f (%vector-nth coll 0) coll 1)
         (if (%in-query?) nil (f))))
     (let [s (seq coll)]
       (if s
         (%reduce-seq f (first s) (next s))
         (if (%in-query?) nil (f))))))
  ([f init coll]
   (if (vector? coll)
     (%reduce-vector f init coll 0)
     (%reduce-seq f init (seq coll)))))

(defn reduce-kv
  "As reduce, with f of the result so far, key and value of a map (index and element of a vector)."
  [f init coll]
  (if (vector? coll)
    (let [n (count coll)]
      (loop [i 0 acc init]
        (if (< i n)
          (let [next-acc (f acc i (%vector-nth coll i))]
            (if (reduced? next-acc) (unreduced next-acc) (recur (inc i) next-acc)))
          acc)))
    (loop [s (seq coll) acc init]
      (if s
        (let [entry (first s)
              next-acc (f acc (key entry) (val entry))]
          (if (reduced? next-acc) (unreduced next-acc) (recur (next s) next-acc)))
        acc))))

(defn fold
  "The same as reduce."
  ([f coll] (reduce f coll))
  ([f init coll] (reduce f init coll)))

(defn %reductions-lazy [f acc coll]
  (cons acc
        (lazy-seq
          (let [s (seq coll)]
            (if s
              (let [next-acc (f acc (first s))]
                (if (reduced? next-acc)
                  (list (unreduced next-acc))
                  (%reductions-lazy f next-acc (rest s))))
              nil)))))

(defn reductions
  "All results on the way of a reduce."
  ([f coll]
   (let [s (seq coll)]
     (if s
       (reductions f (first s) (rest s))
       (list (f)))))
  ([f init coll]
   (if (%in-query?)
     (loop [s (seq coll) acc init done (list init)]
       (if s
         (let [next-acc (f acc (first s))]
           (if (reduced? next-acc)
             (%reverse-list (cons (unreduced next-acc) done))
             (recur (next s) next-acc (cons next-acc done))))
         (%reverse-list done)))
     (%reductions-lazy f init coll))))

(defn some
  "The first true value of pred for an element, or nil."
  [pred coll]
  (loop [s (seq coll)]
    (if s
      (let [x (pred (first s))]
        (if x x (recur (next s))))
      nil)))

(defn every?
  "True when pred holds for every element."
  [pred coll]
  (loop [s (seq coll)]
    (if s
      (if (pred (first s)) (recur (next s)) false)
      true)))

(defn not-any?
  "True when pred holds for no element."
  [pred coll]
  (not (some pred coll)))

(defn not-every?
  "True when pred does not hold for some element."
  [pred coll]
  (not (every? pred coll)))

(defn max-key
  "The value with the largest (f x); the last one if there are several."
  ([f x] x)
  ([f x y] (if (> (f x) (f y)) x y))
  ([f x y & more]
   (loop [best x best-key (f x) s (cons y more)]
     (if s
       (let [k (f (first s))]
         (if (>= k best-key)
           (recur (first s) k (next s))
           (recur best best-key (next s))))
       best))))

(defn min-key
  "The value with the smallest (f x); the last one if there are several."
  ([f x] x)
  ([f x y] (if (< (f x) (f y)) x y))
  ([f x y & more]
   (loop [best x best-key (f x) s (cons y more)]
     (if s
       (let [k (f (first s))]
         (if (<= k best-key)
           (recur (first s) k (next s))
           (recur best best-key (next s))))
       best))))

(defn group-by
  "A map from the values of f to vectors of the elements that have them."
  [f coll]
  (%reduce-seq
    (fn [m x]
      (let [k (f x)]
        (assoc m k (conj (get m k []) x))))
    {}
    (seq coll)))

(defn argmax
  "The index of the largest number."
  [coll]
  (let [v (vec coll)
        n (count v)]
    (when (= n 0)
      (throw (IllegalArgumentException. "argmax: there is no largest number in an empty sequence")))
    (loop [i 1 best 0]
      (if (< i n)
        (recur (inc i) (if (> (%vector-nth v i) (%vector-nth v best)) i best))
        best))))
