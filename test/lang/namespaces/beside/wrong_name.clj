(ns something.else)
