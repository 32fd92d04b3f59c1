;; SPDX-License-Identifier: Apache-2.0
;; Sequences without a function argument, and the producers of infinite ones. A sequence that is realised goes to an
;; eager native; others are worked on lazily, so that infinite ones can be used in both modes.

;; The elements of coll and then of the collections in more. The last collection is given as it is, so that sequences built by
;; recursion (a concat inside a concat) do not pile up layers.
(defn %concat-two [coll more]
  (if more
    (if (%realised? coll)
      (if (empty? coll)
        (recur (first more) (next more))
        (%cons-all coll (lazy-seq (%concat-two (first more) (next more)))))
      (let [s (seq coll)]
        (if s
          (cons (first s) (lazy-seq (%concat-two (rest s) more)))
          (recur (first more) (next more)))))
    (if (seq? coll) coll (seq coll))))

(defn %concat-lazy [colls]
  (lazy-seq (%concat-two (first colls) (next colls))))

(defn concat
  "The elements of all collections, one collection after the other."
  ([] ())
  ([& colls]
   (if (%all-realised? colls)
     (%concat-list colls)
     (%concat-lazy colls))))

(defn sequence
  "The collection as a sequence, () when it is empty; with a transducer, what it makes of the collections."
  ([coll]
   (let [s (seq coll)]
     (if s s ())))
  ([xform coll]
   (if (%in-query?)
     (sequence (transduce xform conj [] coll))
     (sequence (%transformed-seq (xform %collecting) coll))))
  ([xform coll & colls]
   (sequence (%transformed-seqs (xform %collecting) (cons coll colls)))))

(defn into
  "The first collection with all elements of the second added to it by conj; a transducer may stand between them."
  ([] [])
  ([to] to)
  ([to from]
   (if (%comparator to)
     (%into-ordered to from)
     (%into to from)))
  ([to xform from] (into to (transduce xform conj [] from))))

(defn %take-lazy [n coll]
  (lazy-seq
    (if (pos? n)
      (let [s (seq coll)]
        (if s
          (cons (first s) (%take-lazy (dec n) (rest s)))
          nil))
      nil)))

(defn %take-eager [n coll]
  (loop [n n s (if (pos? n) (seq coll) nil) done nil]
    (if s
      (recur (dec n) (if (> n 1) (next s) nil) (cons (first s) done))
      (%reverse-list done))))

(defn take
  "The first n elements."
  ([n] (%taking n))
  ([n coll]
   (if (%realised? coll)
     (%take n coll)
     (if (%in-query?)
       (%take-eager n coll)
       (%take-lazy n coll)))))

(defn %drop-steps [n s]
  (loop [n n s s]
    (if (if s (pos? n) false)
      (recur (dec n) (next s))
      s)))

(defn drop
  "The elements after the first n."
  ([n] (%dropping n))
  ([n coll]
   (if (%realised? coll)
     (%drop n coll)
     (if (%in-query?)
       (let [s (%drop-steps n (seq coll))]
         (if s s ()))
       (lazy-seq (%drop-steps n (seq coll)))))))

(defn %take-while-lazy [pred coll]
  (lazy-seq
    (let [s (seq coll)]
      (if s
        (let [x (first s)]
          (if (pred x)
            (cons x (%take-while-lazy pred (rest s)))
            nil))
        nil))))

(defn take-while
  "The elements before the first for which pred does not hold."
  ([pred] (%taking-while pred))
  ([pred coll]
   (if (%in-query?)
     (loop [s (seq coll) done nil]
       (if s
         (let [x (first s)]
           (if (pred x)
             (recur (next s) (cons x done))
             (%reverse-list done)))
         (%reverse-list done)))
     (%take-while-lazy pred coll))))

(defn %drop-while-steps [pred s]
  (loop [s s]
    (if s
      (if (pred (first s)) (recur (next s)) s)
      nil)))

(defn drop-while
  "The elements from the first for which pred does not hold."
  ([pred] (%dropping-while pred))
  ([pred coll]
   (if (%in-query?)
     (let [s (%drop-while-steps pred (seq coll))]
       (if s s ()))
     (lazy-seq (%drop-while-steps pred (seq coll))))))

(defn split-with
  "A pair: (take-while pred coll) and (drop-while pred coll)."
  [pred coll]
  [(take-while pred coll) (drop-while pred coll)])

(defn split-at
  "A pair: the first n elements and the others."
  [n coll]
  (if (%realised? coll)
    (%split-at n coll)
    [(take n coll) (drop n coll)]))

(defn drop-last
  "All elements but the last n (1)."
  ([coll] (drop-last 1 coll))
  ([n coll]
   (if (%realised? coll)
     (%drop-last n coll)
     (map (fn [x y] x) coll (drop n coll)))))

(defn %take-nth-lazy [n coll]
  (lazy-seq
    (let [s (seq coll)]
      (if s
        (cons (first s) (%take-nth-lazy n (drop n s)))
        nil))))

(defn take-nth
  "Every n-th element, from the first."
  ([n] (%taking-nth n))
  ([n coll]
   (if (%realised? coll)
     (%take-nth n coll)
     (%take-nth-lazy n coll))))

(defn iterate
  "x, (f x), (f (f x)) and so on for ever."
  [f x]
  (cons x (lazy-seq (iterate f (f x)))))

(defn repeat
  "x for ever, or n times."
  ([x] (cons x (lazy-seq (repeat x))))
  ([n x] (%repeat n x)))

(defn %repeatedly-lazy [n f]
  (lazy-seq
    (if (pos? n)
      (cons (f) (%repeatedly-lazy (dec n) f))
      nil)))

(defn repeatedly
  "The values of calls of f, for ever or n times."
  ([f] (lazy-seq (cons (f) (repeatedly f))))
  ([n f]
   (if (%in-query?)
     (loop [i 0 done nil]
       (if (< i n)
         (recur (inc i) (cons (f) done))
         (%reverse-list-or-nil done)))
     (%repeatedly-lazy n f))))

(defn cycle
  "The elements of coll over and over again."
  [coll]
  (lazy-seq
    (let [s (seq coll)]
      (if s
        (%concat-two s (list (cycle s)))
        nil))))

(defn %interleave-lazy [colls]
  (lazy-seq
    (let [seqs (%seqs colls)]
      (if seqs
        (%concat-two (%firsts seqs) (list (%interleave-lazy (%rests seqs))))
        nil))))

(defn interleave
  "The first elements of all collections, then the second ones, and so on."
  ([] ())
  ([& colls]
   (if (%all-realised? colls)
     (apply %interleave colls)
     (%interleave-lazy colls))))

(defn %interpose-lazy [separator s]
  (lazy-seq
    (let [s (seq s)]
      (if s
        (cons separator (cons (first s) (%interpose-lazy separator (rest s))))
        nil))))

(defn interpose
  "The elements with the separator between them."
  ([separator] (%interposing separator))
  ([separator coll]
   (if (%realised? coll)
     (%interpose separator coll)
     (drop 1 (%interpose-lazy separator coll)))))

(defn %partition-lazy [n step coll]
  (lazy-seq
    (let [part (%take-eager n coll)]
      (if (= n (count part))
        (cons part (%partition-lazy n step (drop step coll)))
        nil))))

(defn partition
  "Parts of n elements each, from every step-th (n-th) element on; a last part that is too short is filled from pad or dropped."
  ([n coll] (partition n n coll))
  ([n step coll]
   (if (%realised? coll)
     (%partition n step coll)
     (%partition-lazy n step coll)))
  ([n step pad coll] (%partition n step pad coll)))

(defn %partition-all-lazy [n step coll]
  (lazy-seq
    (let [s (seq coll)]
      (if s
        (cons (%take-eager n s) (%partition-all-lazy n step (drop step s)))
        nil))))

(defn partition-all
  "Parts of n elements each, from every step-th (n-th) element on; the last ones may be shorter."
  ([n] (%partitioning-all n))
  ([n coll] (partition-all n n coll))
  ([n step coll]
   (if (%realised? coll)
     (%partition-all n step coll)
     (%partition-all-lazy n step coll))))

(defn %partition-by-next [f coll]
  ;; The first part of coll and the rest after it.
  (let [all (seq coll)
        k (f (first all))]
    (loop [s (next all) part (list (first all))]
      (if (if s (= k (f (first s))) false)
        (recur (next s) (cons (first s) part))
        [(%reverse-list part) s]))))

(defn %partition-by-lazy [f coll]
  (lazy-seq
    (if (seq coll)
      (let [split (%partition-by-next f coll)]
        (cons (nth split 0) (%partition-by-lazy f (nth split 1))))
      nil)))

(defn partition-by
  "Parts of consecutive elements for which f gives the same value."
  ([f] (%partitioning-by f))
  ([f coll]
   (if (%in-query?)
     (loop [s (seq coll) parts nil]
       (if s
         (let [split (%partition-by-next f s)]
           (recur (nth split 1) (cons (nth split 0) parts)))
         (%reverse-list parts)))
     (%partition-by-lazy f coll))))

(defn %distinct-lazy [coll seen]
  (lazy-seq
    (loop [s (seq coll)]
      (if s
        (let [x (first s)]
          (if (contains? seen x)
            (recur (next s))
            (cons x (%distinct-lazy (rest s) (conj seen x)))))
        nil))))

(defn distinct
  "The elements without repetitions."
  ([] (%distinguishing))
  ([coll]
   (if (%realised? coll)
     (%distinct coll)
     (%distinct-lazy coll #{}))))

(defn %dedupe-lazy [coll previous]
  (lazy-seq
    (loop [s (seq coll)]
      (if s
        (let [x (first s)]
          (if (= x previous)
            (recur (next s))
            (cons x (%dedupe-lazy (rest s) x))))
        nil))))

(defn dedupe
  "The elements without consecutive repetitions."
  ([] (%deduping))
  ([coll]
   (if (%realised? coll)
     (%dedupe coll)
     (let [s (seq coll)]
       (if s
         (cons (first s) (%dedupe-lazy (rest s) (first s)))
         ())))))

(defn tree-seq
  "The nodes of a tree, parents before their children."
  [branch? children root]
  (lazy-seq
    (cons root
          (if (branch? root)
            (mapcat (fn [child] (tree-seq branch? children child)) (children root))
            nil))))
