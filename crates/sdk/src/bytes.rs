//! The bytes of a position: fixed-size fields one after the other, in little-endian order.

/// A value with a fixed number of bytes; [`position!`](crate::position!) implements it for a struct.
pub trait Field: Sized {
    /// The number of bytes.
    const SIZE: usize;

    /// Writes the value to its bytes.
    fn write(&self, bytes: &mut [u8]);

    /// Reads what [`Field::write`] writes.
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! integers {
    ($($Integer:ty)+) => {
        $(impl Field for $Integer {
            const SIZE: usize = size_of::<Self>();

            #[inline]
            fn write(&self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn read(bytes: &[u8]) -> Self {
                let mut value = [0; size_of::<Self>()];
                value.copy_from_slice(bytes);
                Self::from_le_bytes(value)
            }
        })+
    };
}

integers!(u8 u16 u32 u64 u128 i8 i16 i32 i64);

impl<T: Field, const N: usize> Field for [T; N] {
    const SIZE: usize = N * T::SIZE;

    #[inline]
    fn write(&self, bytes: &mut [u8]) {
        self.iter().zip(bytes.chunks_exact_mut(T::SIZE)).for_each(|(value, bytes)| value.write(bytes));
    }

    #[inline]
    fn read(bytes: &[u8]) -> Self {
        std::array::from_fn(|index| T::read(&bytes[index * T::SIZE..(index + 1) * T::SIZE]))
    }
}

impl Field for crate::Side {
    const SIZE: usize = 1;

    #[inline]
    fn write(&self, bytes: &mut [u8]) {
        bytes[0] = *self as u8;
    }

    #[inline]
    fn read(bytes: &[u8]) -> Self {
        if bytes[0] == 0 { Self::First } else { Self::Second }
    }
}
