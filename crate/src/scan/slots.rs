use super::OutOfMemory;
use alloc::boxed::Box;
use alloc::vec::Vec;

const PAGE: usize = 4096;
/// A slot without a place; also a place without a slot, which is why this number is no slot.
const NONE: u32 = u32::MAX;

/// Which place belongs to which slot, and which slot to which place. Places are dense, slots need not be.
#[derive(Default)]
pub struct Slots {
    /// Slot → place, in pages that exist only where a slot was ever set.
    pages: Vec<Option<Box<[u32; PAGE]>>>,
    /// Place → slot.
    slots: Vec<u32>,
    /// Places that were left.
    left: usize,
}

impl Slots {
    /// Slots that have a place.
    pub fn len(&self) -> usize {
        self.slots.len() - self.left
    }

    pub fn bytes(&self) -> usize {
        let pages = self.pages.iter().flatten().count();
        4 * (self.pages.capacity() + self.slots.capacity() + pages * PAGE)
    }

    /// Slots by the places that they had; `None` where one has two.
    pub fn of(by_place: &[u32]) -> Result<Option<Slots>, OutOfMemory> {
        let mut slots = Slots::default();
        slots.slots.try_reserve_exact(by_place.len())?;
        for &slot in by_place {
            if slot == NONE {
                slots.slots.push(NONE);
                slots.left += 1;
            } else if slots.place(slot).is_some() {
                return Ok(None);
            } else {
                slots.push(slot)?;
            }
        }
        Ok(Some(slots))
    }

    /// The slots of all places, in the order of the places; [`u32::MAX`] where a place was left.
    pub fn by_place(&self) -> &[u32] {
        &self.slots
    }

    pub fn place(&self, slot: u32) -> Option<usize> {
        let page = self.pages.get(slot as usize / PAGE)?.as_ref()?;
        let place = page[slot as usize % PAGE];
        (place != NONE).then_some(place as usize)
    }

    /// Gives the next place to a slot that has none.
    pub fn push(&mut self, slot: u32) -> Result<(), OutOfMemory> {
        self.slots.try_reserve(1)?;
        let number = slot as usize / PAGE;
        if self.pages.len() <= number {
            self.pages.try_reserve(number + 1 - self.pages.len())?;
            self.pages.resize_with(number + 1, || None);
        }
        let page = self.pages[number].get_or_insert_with(|| Box::new([NONE; PAGE]));
        page[slot as usize % PAGE] = self.slots.len() as u32;
        self.slots.push(slot);
        Ok(())
    }

    /// Takes the place of a slot away; the last place takes its number.
    pub fn remove(&mut self, slot: u32) {
        if let Some(place) = self.place(slot)
            && let Some(moved) = self.slots.pop()
        {
            if moved != slot {
                self.slots[place] = moved;
                self.point(moved, place as u32);
            }
            self.point(slot, NONE);
        }
    }

    /// Takes the place of a slot away; nobody has it then.
    pub fn leave(&mut self, slot: u32) {
        if let Some(place) = self.place(slot) {
            self.slots[place] = NONE;
            self.left += 1;
        }
        self.point(slot, NONE);
    }

    /// Nobody has a place any more: its slot has another one.
    pub fn vacate(&mut self, place: usize) {
        self.slots[place] = NONE;
        self.left += 1;
    }

    /// Takes `count` places from `first` away, of which some were left. Those that follow move up.
    pub fn remove_places(&mut self, first: usize, count: usize) {
        for place in first..first + count {
            match self.slots[place] {
                NONE => self.left -= 1,
                slot => self.point(slot, NONE),
            }
        }
        for place in first + count..self.slots.len() {
            match self.slots[place] {
                NONE => {}
                slot => self.point(slot, (place - count) as u32),
            }
        }
        self.slots.drain(first..first + count);
    }

    fn point(&mut self, slot: u32, place: u32) {
        if let Some(Some(page)) = self.pages.get_mut(slot as usize / PAGE) {
            page[slot as usize % PAGE] = place;
        }
    }
}
