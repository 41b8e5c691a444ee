;; it has an outcome and moves, in `0
(func (export "moves") (param i32) (result i32)
  (i32.store (i32.const 1024) (i32.const 1))
  (i32.const 1))
(func $playout)
