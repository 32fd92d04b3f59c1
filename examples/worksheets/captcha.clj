;; gorilla-repl.fileformat = 1

;; **
;;; # Reading a captcha by drawing it
;;;
;;; To read a noisy picture, write a program that draws such pictures and condition it on the one you have.
;;; Letters, their places and the amount of noise are draws; the picture is compared pixel by pixel. This is
;;; approximate Bayesian computation: a simulator and a tolerance stand in for a likelihood.
;; **

;; @@
(ns worksheets.captcha
  (:require [gorilla-plot.core :as plot])
  (:use [anglican core runtime emit stat]))

(def glyphs
  {:A ["..#.." ".#.#." "#...#" "#####" "#...#" "#...#"]
   :C [".####" "#...." "#...." "#...." "#...." ".####"]
   :E ["#####" "#...." "####." "#...." "#...." "#####"]
   :H ["#...#" "#...#" "#####" "#...#" "#...#" "#...#"]
   :L ["#...." "#...." "#...." "#...." "#...." "#####"]
   :N ["#...#" "##..#" "#.#.#" "#..##" "#...#" "#...#"]
   :T ["#####" "..#.." "..#.." "..#.." "..#.." "..#.."]
   :X ["#...#" ".#.#." "..#.." "..#.." ".#.#." "#...#"]})

(def letters (vec (keys glyphs)))
(def width 24)
(def height 10)

(def ink
  "Places of the black pixels of each letter."
  (into {} (for [[letter rows] glyphs]
             [letter (vec (for [r (range 6) c (range 5) :when (= \# (nth (nth rows r) c))] [r c]))])))

(defm draw [placed]
  (reduce (fn [picture [letter top left]]
            (reduce (fn [p [r c]] (assoc-in p [(+ top r) (+ left c)] 1.0)) picture (get ink letter)))
          (vec (repeat height (vec (repeat width 0.0))))
          placed))

(image-view (draw [[:H 1 2] [:A 3 9] [:T 2 16]]))
;; @@

;; **
;;; ## The picture to read
;;;
;;; Somebody wrote three letters and shook the page: each pixel got some grey, and one in twenty was
;;; turned over.
;; **

;; @@
(defn shaken [picture]
  (mapv (fn [row]
          (mapv (fn [p] (let [p (if (sample* (flip 1/20)) (- 1 p) p)]
                          (max 0.0 (min 1.0 (+ p (sample* (normal 0 0.15)))))))
                row))
        picture))

(def captcha (shaken (draw [[:C 2 1] [:H 3 8] [:E 1 16]])))

(image-view captcha)
;; @@

;; **
;;; ## The query
;;;
;;; Each pixel is compared with the drawn one, with a tolerance of 0.4: wide enough that a half-right letter
;;; is better than none. `defdist` makes a distribution of our own of that; all pixels of a letter are one
;;; `observe`, after which particles that drew the right letter have offspring.
;; **

;; @@
(defdist noisy-columns
  "The columns from..to of a picture that was drawn and then shaken."
  [drawn from to] []
  (sample* [this] nil)
  (observe* [this picture]
    (reduce + (for [r (range height) c (range from to)]
                (observe* (normal (get-in drawn [r c]) 0.4) (get-in picture [r c]))))))

(defquery read-captcha [picture]
  (loop [i 0, placed []]
    (if (= i 3)
      placed
      (let [letter (nth letters (sample (uniform-discrete 0 (count letters))))
            top    (sample (uniform-discrete 0 5))
            left   (+ (* 8 i) (sample (uniform-discrete 0 4)))
            placed (conj placed [letter top left])]
        (observe (noisy-columns (draw placed) (* 8 i) (* 8 (inc i))) picture)
        (recur (inc i) placed)))))

(def draws (doall (take 4000 (doquery :smc read-captcha [captcha] :number-of-particles 4000))))
;; @@

;; **
;;; ## What it reads
;; **

;; @@
(defn letter-probabilities [i]
  (into {} (empirical-distribution (collect-by (fn [d] (first (nth (:result d) i))) draws))))

(grid-view
  [(for [i (range 3)]
     (let [p (letter-probabilities i)]
       (plot/bar-chart (map name letters) (map (fn [l] (get p l 0.0)) letters)
                       :plot-size 270 :plot-range [:all [0 1]] :x-title (str "letter " (inc i)))))])

(def best (key (apply max-key val (collect-by :result draws))))

(grid-view [["seen" "read"] [(image-view captcha) (image-view (draw best))]])
;; @@

;; **
;;; Letter by letter, with the place of its upper left corner:
;; **

;; @@
(table-view (map (fn [[letter top left]] [(name letter) top left]) best)
            :columns ["letter" "row" "column"])
;; @@
