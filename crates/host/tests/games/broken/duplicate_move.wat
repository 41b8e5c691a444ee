;; the move #1 comes twice, in `70` after []
(func (export "moves") (param i32) (result i32) (local $count i32)
  (local.set $count (call $count (i32.load8_u (i32.const 1024))))
  (i32.store (i32.const 1024) (i32.const 1))
  (i32.store (i32.const 1028) (i32.const 1))
  (i32.store (i32.const 1032) (i32.const 1))
  (local.get $count))
