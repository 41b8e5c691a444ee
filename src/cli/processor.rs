//! Whether this processor can run this binary.
//!
//! The release binary is compiled for x86-64-v3 (see `.cargo/config.toml`); on an older processor it would crash with an
//! illegal instruction. The standard library's `is_x86_feature_detected!` does not help: for features enabled at compile time,
//! it returns true without a check. So CPUID is read, with integer instructions only, before anything else runs.

/// The instructions of x86-64-v3, as bits of the registers of CPUID.
mod v3 {
    /// Leaf 1, ECX: FMA, MOVBE, OSXSAVE (the system saves wide registers), AVX, F16C.
    pub const BASIC: u32 = 1 << 12 | 1 << 22 | 1 << 27 | 1 << 28 | 1 << 29;
    /// Leaf 7, EBX: BMI1, AVX2, BMI2.
    pub const STRUCTURED: u32 = 1 << 3 | 1 << 5 | 1 << 8;
    /// Leaf 8000_0001h, ECX: LZCNT.
    pub const EXTENDED: u32 = 1 << 5;
}

/// The message for a processor that is too old.
pub const TOO_OLD: &str = "this binary needs an x86-64-v3 processor (Intel Haswell 2013, AMD Excavator 2015, or newer); \
     for an older one, build it with RUSTFLAGS=\"-C target-cpu=x86-64\"";

/// Whether the processor supports this binary. A separate function, so that nothing after the check can be moved before it.
#[inline(never)]
pub fn suffices() -> bool {
    let has = |found: u32, wanted: u32| found & wanted == wanted;
    if !cfg!(target_feature = "avx2") {
        return true;
    }
    raw_cpuid::cpuid!(0).eax >= 7
        && has(raw_cpuid::cpuid!(1).ecx, v3::BASIC)
        && has(raw_cpuid::cpuid!(7).ebx, v3::STRUCTURED)
        && raw_cpuid::cpuid!(0x8000_0000u32).eax > 0x8000_0000
        && has(raw_cpuid::cpuid!(0x8000_0001u32).ecx, v3::EXTENDED)
}
