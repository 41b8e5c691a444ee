;; its text, read back, has other moves, in `70` after []
(global $calls (mut i32) (i32.const 0))
(func (export "moves") (param i32) (result i32) (local $count i32)
  (local.set $count (call $count (i32.load8_u (i32.const 1024))))
  (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
  (i32.store (i32.const 1024) (i32.sub (i32.const 3) (i32.and (global.get $calls) (i32.const 1))))
  (i32.store (i32.const 1028) (i32.add (i32.const 2) (i32.and (global.get $calls) (i32.const 1))))
  (i32.store (i32.const 1032) (i32.const 1))
  (local.get $count))
