;; SPDX-License-Identifier: Apache-2.0
;; Functions that lean on the machine: apply as a value, eval, memoised recursion, nested inference.

(defn %apply
  ([f args] (apply f args))
  ([f a args] (apply f (cons a args)))
  ([f a b args] (apply f (cons a (cons b args))))
  ([f a b c & more] (apply f (cons a (cons b (cons c (apply list* more)))))))

(defn %realise-rest [s]
  (loop [s s]
    (if (seq s)
      (do (%realise (first s)) (recur (next s)))
      nil)))

(defn %realise [x]
  (if (coll? x)
    (do (%realise-rest (seq x)) x)
    x))

(defn eval "Evaluates a form, as data, with the names of the program." [form]
  ((%compile form)))

(defn %mem-named [make]
  (let [m (%memo-new)]
    (%memo-set! m (make m))))

(defn conditional "The posterior of a query's result as a function from arguments to a distribution."
  [query & options]
  (let [named (keyword? (first options))
        algorithm (if named (first options) :importance)
        others (vec (if named (rest options) options))]
    (fn [& args] (%conditional query algorithm others (vec args)))))
