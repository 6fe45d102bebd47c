import type { AgidbError } from '../../base/errors.js'
import type { CheckpointParts } from '../../base/checkpoint-parts.js'
import type { BlockFile } from '../block/block-file.js'
import { HEADER_BYTES, SEALED_HEADER_BYTES } from '../journal/frame.js'
import type { CheckpointFile } from '../checkpoint/checkpoint-file.js'
import { Journal, type Unread } from '../journal/journal.js'
import { currentOf, inspectJournals, type Follower, type JournalFiles } from '../journal/journal-pair.js'
import type { VerifyVisitor } from '../../api/storage.js'
import { checkCheckpoint } from './check-checkpoint.js'

/** What is looked at. */
export interface Files {
  readonly journals: JournalFiles
  readonly checkpoint: CheckpointFile
  /** Which journal the copy in IndexedDB follows, if there is one. */
  readonly follower?: Follower
}

/** What reads both journals and the checkpoint. */
export type CheckFiles = typeof checkFiles

/**
 * Reads both journals and the checkpoint from beginning to end and compares them, without changing them. Answers the
 * journal, for reading, or `undefined` if there is none.
 */
export async function checkFiles(
  { journals, checkpoint, follower }: Files,
  { findings, digest, visit }: VerifyVisitor,
): Promise<Journal | undefined> {
  const { base } = checkpoint
  let table: CheckpointParts | undefined
  const journal = await checkJournals(journals, findings, follower, (then) => {
    // Copies: later rows change the table.
    if (base !== undefined && then.isAt(base))
      table = new Map(Array.from(then.tableParts(), ([name, array]) => [name, array.slice()]))
  })
  await checkCheckpoint(checkpoint, digest, findings, table)
  if (base !== undefined && journal !== undefined && table === undefined && (await journal.lacksPartOf(base))) {
    const file = journal.place.name
    const count = Math.max(1, base.lsn - journal.end.lsn)
    const message = `${file} no longer has commits that it once had, as the checkpoint of the indexes shows`
    findings.add('commits-lost', 'loss', message, { file, lsn: base.lsn, journalLsn: journal.end.lsn }, count)
  } else if (base !== undefined && journal === undefined && (await areEmpty(journals))) {
    const [{ name: file }] = journals
    const message = `${file} is empty, and the checkpoint of the indexes shows that it once was not`
    findings.add('commits-lost', 'loss', message, { file, lsn: base.lsn, journalLsn: 0 }, base.lsn)
  } else if (base !== undefined && table === undefined) {
    findings.add(
      'image-stale',
      'none',
      'the checkpoint of the indexes is of a state that the journal does not have; it is made again',
      { lsn: base.lsn, epoch: base.epoch },
    )
  }
  const damaged = (slot: number, { message, details }: AgidbError): void => {
    findings.add('row-unreadable', 'loss', message, { ...details, slot })
  }
  await journal?.visit(
    (episode) => {
      findings.checked.rows++
      visit(episode)
    },
    undefined,
    damaged,
  )
  return journal
}

/** Whether neither file has so much as a header. */
async function areEmpty([first, second]: JournalFiles): Promise<boolean> {
  return (await first.size()) < HEADER_BYTES && (await second.size()) < HEADER_BYTES
}

async function checkJournals(
  journals: JournalFiles,
  findings: VerifyVisitor['findings'],
  follower: Follower | undefined,
  pass: (then: Journal) => void,
): Promise<Journal | undefined> {
  const pair = await inspectJournals(journals)
  const { file, header, damage, other } = currentOf(pair, follower)
  if (damage) findings.add('journal-header', 'loss', damage.message, { file: file.name })
  if (header === undefined) {
    const moved = pair.sides.find(({ incomplete }) => incomplete !== undefined)
    if (!damage && moved)
      findings.add(
        'journal-missing',
        'loss',
        `${moved.file.name} says that the journal is in the other file, and it is not`,
        { file: moved.file.name },
      )
    return undefined
  }
  const journal = await Journal.read(file, header, (found) => report(found, file, findings), pass)
  findings.checked.commits = journal.end.lsn - header.baseLsn
  findings.checked.bytes += await file.size()
  const left = pair.sides.find((side) => side.file === other)
  const replaced = header.compacted && left?.header?.databaseId === header.databaseId
  const begun = left?.incomplete !== undefined && (await other.size()) > SEALED_HEADER_BYTES
  if (replaced || begun) {
    findings.add(
      'journal-leftover',
      'none',
      `${other.name} still has what was in it; it is overwritten when the memory is opened`,
      { file: other.name, bytes: await other.size() },
    )
  }
  return journal
}

function report(
  { kind, at, bytes, tail, commits }: Unread,
  file: BlockFile,
  findings: VerifyVisitor['findings'],
): void {
  const details = { file: file.name, offset: at, bytes }
  if (kind === 'damage') {
    const message = `${bytes} bytes of ${file.name} from byte ${at} on cannot be read, and they were flushed`
    findings.add('journal-damaged', 'loss', message, details)
  } else if (kind === 'gap')
    findings.add(
      'journal-gap',
      'loss',
      `before byte ${at} of ${file.name} commits are missing`,
      { ...details, commits },
      commits,
    )
  else if (kind === 'misfit')
    findings.add(
      'journal-misfit',
      'loss',
      `the commit at byte ${at} of ${file.name} changes what is not there`,
      details,
    )
  else
    findings.add(
      'journal-torn',
      'none',
      `the last ${bytes} bytes of ${file.name} are no whole commit; they are kept aside when the memory is opened`,
      { ...details, found: tail },
    )
}
