;; table minimum size of 100000000 elements exceeds table limits
(table 100000000 funcref)
