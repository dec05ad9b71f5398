//! Ids: positions in a vector, each of a type of its own.

/// Makes ids: numbers that say which element of a vector is meant, and cannot be taken for the number of anything else.
///
/// ```
/// lariat_term::ids! {
///     /// A house of a street.
///     HouseId;
///     /// A room of a house.
///     RoomId;
/// }
/// assert_eq!(RoomId(3).index(), 3);
/// ```
#[macro_export]
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in its vector.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
