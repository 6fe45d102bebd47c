use super::OutOfMemory;

const PAGE: usize = 4096;
const NONE: u32 = u32::MAX;

/// Which row belongs to which slot, and which slot to which row. Rows are dense, slots need not be.
#[derive(Default)]
pub struct Slots {
    /// Slot → row, in pages that exist only where a slot was ever set.
    pages: Vec<Option<Box<[u32; PAGE]>>>,
    /// Row → slot.
    slots: Vec<u32>,
}

impl Slots {
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    pub fn bytes(&self) -> usize {
        let pages = self.pages.iter().flatten().count();
        4 * (self.pages.capacity() + self.slots.capacity() + pages * PAGE)
    }

    /// The slots of all rows, in the order of the rows.
    pub fn by_row(&self) -> &[u32] {
        &self.slots
    }

    pub fn row(&self, slot: u32) -> Option<usize> {
        let page = self.pages.get(slot as usize / PAGE)?.as_ref()?;
        let row = page[slot as usize % PAGE];
        (row != NONE).then_some(row as usize)
    }

    /// Gives the next row to a slot that has none.
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

    /// Takes the row of a slot away; the last row takes its number. Returns (freed row, last row).
    pub fn remove(&mut self, slot: u32) -> Option<(usize, usize)> {
        let row = self.row(slot)?;
        let last = self.slots.len() - 1;
        let moved = self.slots[last];
        self.slots[row] = moved;
        self.slots.pop();
        self.point(moved, row as u32);
        self.point(slot, NONE);
        Some((row, last))
    }

    fn point(&mut self, slot: u32, row: u32) {
        if let Some(Some(page)) = self.pages.get_mut(slot as usize / PAGE) {
            page[slot as usize % PAGE] = row;
        }
    }
}
