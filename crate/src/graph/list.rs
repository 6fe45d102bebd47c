//! Ascending numbers of a node: four in the node, the others in blocks that are linked.

use crate::pool::{NONE, Pool};

/// Numbers in the node.
const INLINE: usize = 4;
/// What a node has of it: four numbers, how many there are in all, the first and the last block.
pub type List = [u32; 7];
pub const ALL: usize = 4;
const HEAD: usize = 5;
const TAIL: usize = 6;
/// Words of a block: the next block, how many numbers, the numbers.
pub const BLOCK: usize = 16;
const NEXT: usize = 0;
const COUNT: usize = 1;
const FIRST: usize = 2;
/// Slots of a block.
const ROOM: usize = BLOCK - FIRST;
/// How many numbers there are.
pub fn count(list: &List) -> usize {
    list[ALL] as usize
}

fn inline(list: &List) -> &[u32] {
    &list[..count(list).min(INLINE)]
}

fn numbers_of(block: &[u32]) -> &[u32] {
    &block[FIRST..FIRST + block[COUNT] as usize]
}

/// Goes over the numbers from `from` on until `visit` answers false.
pub fn each(list: &List, blocks: &Pool, from: u32, visit: &mut dyn FnMut(u32) -> bool) {
    let mut numbers = inline(list);
    let mut next = list[HEAD];
    loop {
        for &number in numbers {
            if number >= from && !visit(number) {
                return;
            }
        }
        if next == NONE {
            return;
        }
        let block = blocks.block(next);
        (numbers, next) = (numbers_of(block), block[NEXT]);
    }
}

/// Puts a number into `words`, of which the first `count` are numbers, ascending; pushes out what has no room any more.
fn push(words: &mut [u32], count: usize, number: u32) -> Option<u32> {
    let at = words[..count].partition_point(|&other| other < number);
    let full = count == words.len();
    if full && at == count {
        return Some(number);
    }
    let last = words[count.min(words.len() - 1)];
    words.copy_within(at..count - usize::from(full), at + 1);
    words[at] = number;
    full.then_some(last)
}

/// Whether the number is new.
pub fn insert(list: &mut List, blocks: &mut Pool, number: u32) -> bool {
    let held = inline(list).len();
    let mut over = Some(number);
    if held < INLINE || number <= list[INLINE - 1] {
        if inline(list).contains(&number) {
            return false;
        }
        over = push(&mut list[..INLINE], held, number);
    }
    if let Some(over) = over
        && !insert_in_blocks(list, blocks, over)
    {
        return false;
    }
    list[ALL] += 1;
    true
}

fn insert_in_blocks(list: &mut List, blocks: &mut Pool, number: u32) -> bool {
    if list[HEAD] == NONE {
        list[HEAD] = blocks.take();
        list[TAIL] = list[HEAD];
    }
    let mut at = list[HEAD];
    let tail = numbers_of(blocks.block(list[TAIL]));
    if tail.first().is_some_and(|&first| first <= number) {
        at = list[TAIL];
    }
    // The first block that has its last number not before this one, or the last block.
    while at != list[TAIL] && numbers_of(blocks.block(at)).last().is_some_and(|&last| last < number) {
        at = blocks.block(at)[NEXT];
    }
    let block = blocks.block(at);
    let count = block[COUNT] as usize;
    if numbers_of(block).contains(&number) {
        return false;
    }
    if count == ROOM {
        // Behind a full last block a new one begins; elsewhere half of the numbers go into it.
        let half = if at == list[TAIL] && numbers_of(block)[ROOM - 1] < number { ROOM } else { ROOM / 2 };
        let new = blocks.take();
        let mut moved = [0; BLOCK];
        moved.copy_from_slice(blocks.block(at));
        let words = blocks.block_mut(at);
        (words[NEXT], words[COUNT]) = (new, half as u32);
        words[FIRST + half..].fill(0);
        let words = blocks.block_mut(new);
        (words[NEXT], words[COUNT]) = (moved[NEXT], (ROOM - half) as u32);
        words[FIRST..FIRST + ROOM - half].copy_from_slice(&moved[FIRST + half..]);
        if at == list[TAIL] {
            list[TAIL] = new;
        }
        if half == ROOM || number > moved[FIRST + half - 1] {
            at = new;
        }
    }
    let words = blocks.block_mut(at);
    let count = words[COUNT] as usize;
    push(&mut words[FIRST..], count, number);
    words[COUNT] += 1;
    true
}

/// Whether the number was there.
pub fn remove(list: &mut List, blocks: &mut Pool, number: u32) -> bool {
    let held = inline(list).len();
    if let Some(at) = inline(list).iter().position(|&other| other == number) {
        list.copy_within(at + 1..held, at);
        list[held - 1] = 0;
        if list[HEAD] != NONE {
            let next = blocks.block(list[HEAD])[FIRST];
            list[held - 1] = next;
            remove_from_blocks(list, blocks, next);
        }
    } else if !remove_from_blocks(list, blocks, number) {
        return false;
    }
    list[ALL] -= 1;
    true
}

fn remove_from_blocks(list: &mut List, blocks: &mut Pool, number: u32) -> bool {
    let (mut before, mut at) = (NONE, list[HEAD]);
    while at != NONE && numbers_of(blocks.block(at)).last().is_some_and(|&last| last < number) {
        (before, at) = (at, blocks.block(at)[NEXT]);
    }
    if at == NONE {
        return false;
    }
    let words = blocks.block_mut(at);
    let end = FIRST + words[COUNT] as usize;
    let Some(i) = numbers_of(words).iter().position(|&other| other == number) else { return false };
    words.copy_within(FIRST + i + 1..end, FIRST + i);
    words[end - 1] = 0;
    words[COUNT] -= 1;
    let (next, left) = (words[NEXT], words[COUNT]);
    if left == 0 {
        if before == NONE {
            list[HEAD] = next;
        } else {
            blocks.block_mut(before)[NEXT] = next;
        }
        if list[TAIL] == at {
            list[TAIL] = before;
        }
        blocks.release(at);
    }
    true
}
