;; memory minimum size of 65536 pages exceeds memory limits
(memory (export "memory") 65536)
