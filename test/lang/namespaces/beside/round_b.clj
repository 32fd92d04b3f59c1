(ns beside.round-b (:require [beside.round-a]))
