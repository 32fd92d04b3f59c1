;; SPDX-License-Identifier: Apache-2.0
;; Functions that make functions. Arities up to three are spelled out, because apply costs a list.

(defn identity
  "x itself."
  [x]
  x)

(defn constantly
  "A function that gives x for any arguments."
  [x]
  (fn [& args] x))

(defn complement
  "A function that is true when f is false, and the other way round."
  [f]
  (fn
    ([] (not (f)))
    ([x] (not (f x)))
    ([x y] (not (f x y)))
    ([x y & more] (not (apply f x y more)))))

(defn comp
  "The functions one after the other, the last one first."
  ([] identity)
  ([f] f)
  ([f g]
   (fn
     ([] (f (g)))
     ([x] (f (g x)))
     ([x y] (f (g x y)))
     ([x y & more] (f (apply g x y more)))))
  ([f g & more] (comp f (apply comp g more))))

(defn partial
  "f with its first arguments given."
  ([f] f)
  ([f a]
   (fn
     ([] (f a))
     ([x] (f a x))
     ([x y] (f a x y))
     ([x y & more] (apply f a x y more))))
  ([f a b]
   (fn
     ([] (f a b))
     ([x] (f a b x))
     ([x y] (f a b x y))
     ([x y & more] (apply f a b x y more))))
  ([f a b & given]
   (fn [& args] (apply f a b (%concat given args)))))

(defn juxt
  "A function that gives the vector of what all functions give."
  [& fs]
  (fn [& args] (mapv (fn [f] (apply f args)) fs)))

(defn fnil
  "f with nil arguments replaced by the given ones."
  ([f a]
   (fn
     ([x] (f (if (nil? x) a x)))
     ([x & more] (apply f (if (nil? x) a x) more))))
  ([f a b]
   (fn [x y & more] (apply f (if (nil? x) a x) (if (nil? y) b y) more)))
  ([f a b c]
   (fn [x y z & more] (apply f (if (nil? x) a x) (if (nil? y) b y) (if (nil? z) c z) more))))

(defn every-pred
  "A function that is true when all predicates hold for all its arguments."
  [& preds]
  (fn [& xs] (every? (fn [x] (every? (fn [p] (p x)) preds)) xs)))

(defn %some-of [preds x]
  (loop [ps (seq preds) last-value nil]
    (if ps
      (let [value ((first ps) x)]
        (if value value (recur (next ps) value)))
      last-value)))

(defn some-fn
  "A function that gives the first true value of a predicate for one of its arguments."
  [& preds]
  (fn [& xs]
    (loop [s (seq xs) last-value nil]
      (if s
        (let [value (%some-of preds (first s))]
          (if value value (recur (next s) value)))
        last-value))))

(defn memoize
  "f, remembering its results by arguments."
  [f]
  (mem f))

(defn trampoline
  "Calls f, and then what it gives as long as that is a function; anything else is the result."
  ([f] (if (fn? f) (recur (f)) f))
  ([f & args] (trampoline (fn [] (apply f args)))))

(defn comparator
  "A comparator from a predicate that says whether x comes before y."
  [pred]
  (fn [x y]
    (cond
      (pred x y) -1
      (pred y x) 1
      :else 0)))

(defn swap!
  "Changes the value of an atom by a function; gives the new value."
  ([a f] (reset! a (f (deref a))))
  ([a f x] (reset! a (f (deref a) x)))
  ([a f x y] (reset! a (f (deref a) x y)))
  ([a f x y & more] (reset! a (apply f (deref a) x y more))))

(defn swap-vals!
  "Changes the value of an atom by a function; gives the old and the new value."
  [a f & args]
  (let [old (deref a)
        new (apply f old args)]
    (reset! a new)
    [old new]))

(defn compare-and-set!
  "Changes the value of an atom when it is the old one; says whether it was."
  [a old new]
  (if (= (deref a) old)
    (do (reset! a new) true)
    false))

(defn vary-meta
  "x with (f metadata args ...) as its metadata."
  [x f & args]
  (with-meta x (apply f (meta x) args)))

(defn %with-out-str [f]
  (%capture-begin)
  (try
    (f)
    (catch Exception e
      (do (%capture-end)
          (throw e))))
  (%capture-end))

(defn %time [f]
  (let [start (time)
        value (f)]
    (println (format "\"Elapsed time: %.3f msecs\"" (* 1000.0 (- (time) start))))
    value))

(defn satisfies?
  "True when x has all methods of the protocol."
  [protocol x]
  (every? (fn [method]
            (try
              (do (%method x method) true)
              (catch Exception e false)))
          (:methods protocol)))
