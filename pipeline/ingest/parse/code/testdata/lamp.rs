//! Lamps.
//!
//! They burn.

use std::fmt;

/// A lamp.
///
/// # Examples
///
/// ```
/// let l = Lamp::new('{');
/// ```
#[derive(Debug, Clone)]
pub struct Lamp<'a> {
    /// its name
    pub name: &'a str,
}

pub(crate) const MOST: usize = 3;

impl<'a> Lamp<'a> {
    /// Makes a *lamp*; see [`Lamp::light`].
    pub const fn new(name: &'a str) -> Self {
        let _ = r#"} " {"#;
        Lamp { name }
    }

    #[inline]
    pub async unsafe fn light<T: Into<String>>(&mut self, x: T) -> Result<(), Box<dyn std::error::Error>>
    where
        T: Send,
    {
        let c = '\'';
        Ok(())
    }
}

impl<'a> fmt::Display for Lamp<'a> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)
    }
}

pub trait Burn {
    fn burn(&self) -> u32;
    fn twice(&self) -> u32 { self.burn() * 2 }
}

pub enum Kind { Oil, Gas(u8) }

pub type Oil = Vec<u8>;

macro_rules! lamp {
    ($x:expr) => { $x };
}

mod tests {
    #[test]
    fn it_burns() {}
}
