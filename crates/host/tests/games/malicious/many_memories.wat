;; multiple memories
(memory 100)
