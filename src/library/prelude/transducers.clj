;; SPDX-License-Identifier: Apache-2.0
;; Transducers: (map f), (filter pred) and so on without a collection, and the functions that run them. A transducer takes a
;; reducing function of none (start), one (finish) and two arguments (step) and gives another one. What a transducer
;; remembers between steps is in a cell, so that executions of a query keep theirs apart.

(defn completing
  "A reducing function from f, with (finish result), or the result itself, at the end."
  ([f] (completing f identity))
  ([f finish]
   (fn
     ([] (f))
     ([result] (finish result))
     ([result x] (f result x)))))

(defn ensure-reduced
  "x as reduced; once is enough."
  [x]
  (if (reduced? x) x (reduced x)))

(defn transduce
  "reduce with the reducing function that xform makes of f, finished at the end."
  ([xform f coll] (transduce xform f (f) coll))
  ([xform f init coll]
   (let [rf (xform f)]
     (rf (reduce rf init coll)))))

(defn eduction
  "What the transducers make of the collection, as a sequence."
  [& xforms-and-coll]
  (sequence (apply comp (butlast xforms-and-coll)) (last xforms-and-coll)))

(defn %mapping [f]
  (fn [rf]
    (fn
      ([] (rf))
      ([result] (rf result))
      ([result x] (rf result (f x)))
      ([result x & xs] (rf result (apply f x xs))))))

(defn %filtering [pred]
  (fn [rf]
    (fn
      ([] (rf))
      ([result] (rf result))
      ([result x] (if (pred x) (rf result x) result)))))

(defn %keeping [f]
  (fn [rf]
    (fn
      ([] (rf))
      ([result] (rf result))
      ([result x]
       (let [y (f x)]
         (if (nil? y) result (rf result y)))))))

;; f of the index, counted in a cell, and the element.
(defn %with-index [cell f x]
  (let [i (%cell-get cell)]
    (%cell-set cell (inc i))
    (f i x)))

(defn %mapping-indexed [f]
  (fn [rf]
    (let [cell (%cell-new 0)]
      (fn
        ([] (rf))
        ([result] (rf result))
        ([result x] (rf result (%with-index cell f x)))))))

(defn %keeping-indexed [f]
  (fn [rf]
    (let [cell (%cell-new 0)]
      (fn
        ([] (rf))
        ([result] (rf result))
        ([result x]
         (let [y (%with-index cell f x)]
           (if (nil? y) result (rf result y))))))))

(defn %taking [n]
  (fn [rf]
    (let [left (%cell-new n)]
      (fn
        ([] (rf))
        ([result] (rf result))
        ([result x]
         (let [k (%cell-get left)
               next-result (if (pos? k) (rf result x) result)]
           (%cell-set left (dec k))
           (if (> k 1) next-result (ensure-reduced next-result))))))))

(defn %dropping [n]
  (fn [rf]
    (let [left (%cell-new n)]
      (fn
        ([] (rf))
        ([result] (rf result))
        ([result x]
         (let [k (%cell-get left)]
           (if (pos? k)
             (do (%cell-set left (dec k)) result)
             (rf result x))))))))

(defn %taking-while [pred]
  (fn [rf]
    (fn
      ([] (rf))
      ([result] (rf result))
      ([result x] (if (pred x) (rf result x) (reduced result))))))

(defn %dropping-while [pred]
  (fn [rf]
    (let [dropping (%cell-new true)]
      (fn
        ([] (rf))
        ([result] (rf result))
        ([result x]
         (if (if (%cell-get dropping) (pred x) false)
           result
           (do (%cell-set dropping false)
               (rf result x))))))))

(defn %taking-nth [n]
  (fn [rf]
    (let [cell (%cell-new 0)]
      (fn
        ([] (rf))
        ([result] (rf result))
        ([result x]
         (if (zero? (rem (%with-index cell (fn [i y] i) x) n))
           (rf result x)
           result))))))

(defn %interposing [separator]
  (fn [rf]
    (let [started (%cell-new false)]
      (fn
        ([] (rf))
        ([result] (rf result))
        ([result x]
         (if (%cell-get started)
           (let [separated (rf result separator)]
             (if (reduced? separated) separated (rf separated x)))
           (do (%cell-set started true)
               (rf result x))))))))

(defn %distinguishing []
  (fn [rf]
    (let [seen (%cell-new #{})]
      (fn
        ([] (rf))
        ([result] (rf result))
        ([result x]
         (if (contains? (%cell-get seen) x)
           result
           (do (%cell-set seen (conj (%cell-get seen) x))
               (rf result x))))))))

(defn %deduping []
  (fn [rf]
    (let [previous (%cell-new [])]
      (fn
        ([] (rf))
        ([result] (rf result))
        ([result x]
         (if (= (%cell-get previous) [x])
           result
           (do (%cell-set previous [x])
               (rf result x))))))))

;; The end of a transducer that collects parts: what is left is one more.
(defn %finish-parts [rf cell result]
  (let [part (%cell-get cell)]
    (%cell-set cell [])
    (rf (if (empty? part) result (unreduced (rf result part))))))

(defn %partitioning-all [n]
  (fn [rf]
    (let [cell (%cell-new [])]
      (fn
        ([] (rf))
        ([result] (%finish-parts rf cell result))
        ([result x]
         (let [part (conj (%cell-get cell) x)]
           (if (= n (count part))
             (do (%cell-set cell [])
                 (rf result part))
             (do (%cell-set cell part)
                 result))))))))

(defn %partitioning-by [f]
  (fn [rf]
    (let [cell (%cell-new [])
          last-key (%cell-new nil)]
      (fn
        ([] (rf))
        ([result] (%finish-parts rf cell result))
        ([result x]
         (let [part (%cell-get cell)
               k (f x)
               same (if (empty? part) true (= k (%cell-get last-key)))]
           (%cell-set last-key k)
           (if same
             (do (%cell-set cell (conj part x))
                 result)
             (let [next-result (rf result part)]
               (%cell-set cell (if (reduced? next-result) [] [x]))
               next-result))))))))

(defn cat
  "A transducer that puts the elements of the collections it gets one after the other."
  [rf]
  (fn
    ([] (rf))
    ([result] (rf result))
    ;; What stops the inner reduce must stop the outer one, too: it is marked twice.
    ([result coll]
     (reduce
       (fn [acc x]
         (let [next-acc (rf acc x)]
           (if (reduced? next-acc) (reduced next-acc) next-acc)))
       result
       coll))))

(defn halt-when
  "A transducer that ends the reduction with the first element for which pred holds, or with (f result element)."
  ([pred] (halt-when pred nil))
  ([pred f]
   (fn [rf]
     (fn
       ([] (rf))
       ([result]
        (if (if (map? result) (contains? result :%halt) false)
          (:%halt result)
          (rf result)))
       ([result x]
        (if (pred x)
          (reduced {:%halt (if f (f (rf result) x) x)})
          (rf result x)))))))

(defn %replacing [replacements]
  (%mapping (fn [x] (if (contains? replacements x) (get replacements x) x))))

;; --- sequences: the steps of a transducer collect what comes of one element ---

(defn %collecting
  ([] [])
  ([made] made)
  ([made x] (conj made x)))

(defn %transformed-seq [rf coll]
  (lazy-seq
    (loop [s (seq coll)]
      (if s
        (let [made (rf [] (first s))]
          (cond
            (reduced? made) (seq (rf (unreduced made)))
            (empty? made) (recur (next s))
            :else (concat made (%transformed-seq rf (rest s)))))
        (seq (rf []))))))

(defn %transformed-seqs [rf colls]
  (lazy-seq
    (loop [seqs (%seqs colls)]
      (if seqs
        (let [made (apply rf [] (%firsts seqs))]
          (cond
            (reduced? made) (seq (rf (unreduced made)))
            (empty? made) (recur (%seqs (%rests seqs)))
            :else (concat made (%transformed-seqs rf (%rests seqs)))))
        (seq (rf []))))))

;; --- what goes with them: cells of their own, and collections that change in place elsewhere ---

(defn volatile!
  "A cell with a value, for deref, vreset! and vswap!."
  [value]
  (atom value))

(defn vreset!
  "Changes the value of a volatile; gives the value."
  [cell value]
  (reset! cell value))

(defn vswap!
  "Changes the value of a volatile by a function; gives the new value."
  [cell f & args]
  (reset! cell (apply f (deref cell) args)))

(defn transient
  "The collection itself: conj!, assoc! and their like give a new one."
  [coll]
  coll)

(defn persistent!
  "The collection itself."
  [coll]
  coll)

(defn conj!
  "The same as conj."
  ([] [])
  ([coll] coll)
  ([coll x] (conj coll x)))

(defn assoc!
  "The same as assoc."
  [coll & keys-and-values]
  (apply assoc coll keys-and-values))

(defn dissoc!
  "The same as dissoc."
  [coll & ks]
  (apply dissoc coll ks))

(defn disj!
  "The same as disj."
  [coll & ks]
  (apply disj coll ks))

(defn pop!
  "The same as pop."
  [coll]
  (pop coll))
