(ns beside.round-a (:require [beside.round-b]))
