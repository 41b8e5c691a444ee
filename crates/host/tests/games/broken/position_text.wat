;; its text, read back, is printed as `
(func (export "parse_position") (param $start i32) (param $length i32) (result i64) (local $heap i32)
  (local.set $heap (i32.sub (i32.load8_u (i32.const 1026)) (i32.const 48)))
  (if (i32.or (i32.ne (local.get $length) (i32.const 2)) (i32.gt_u (local.get $heap) (i32.const 7)))
    (then (return (i64.const 0xffffffff00000000))))
  (call $leave (local.get $heap) (i32.const 0)))
