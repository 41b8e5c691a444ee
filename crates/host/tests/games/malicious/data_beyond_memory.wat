;; `start section` failed: wasm trap: out of bounds memory access
(data (i32.const 131070) "beyond the memory")
