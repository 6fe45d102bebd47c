import type { Stats } from '../../api/stats.js'
import type { Severity, VerifyReport } from '../../api/verify.js'
import { button, element, facts } from '../dom/element.js'
import { bytes, count, counted, percent, sentence } from '../dom/format.js'
import { renew } from '../dom/renew.js'
import type { Desk, View } from '../view.js'
import { exportFile, importFile } from './transfer.js'

const HARM: Readonly<Record<Severity, string>> = {
  none: 'nothing is lost, it mends itself',
  mendable: 'another copy has everything',
  loss: 'something is lost',
}

/** How the memory is: what it holds, how durable it is, whether it is whole; and its way in and out. */
export class Health implements View {
  readonly name = 'Health'
  readonly element = element('div', { class: 'page' })
  readonly #desk: Desk
  readonly #state = element('div', { class: 'state' })
  readonly #report = element('div', { class: 'report', role: 'status' })

  constructor(desk: Desk, name: string) {
    this.#desk = desk
    this.element.append(
      element(
        'div',
        { class: 'moves' },
        button('Verify', 'verify', () => void this.#verify(false), { class: 'main' }),
        button('Export …', 'export', () => void exportFile(desk, name)),
        ...(desk.isReadOnly
          ? []
          : [
              button('Import …', 'import', () => void desk.act(() => importFile(desk))),
              button('Compact', 'compact', () => void this.#compact()),
            ]),
      ),
      this.#report,
      this.#state,
    )
  }

  async show(): Promise<void> {
    renew(this.#state, ...stateOf(await this.#desk.db.stats()))
  }

  async #verify(repair: boolean): Promise<void> {
    this.#report.textContent = 'Reading all that is stored.'
    const isDone = await this.#desk.act(async () => {
      const report = await this.#desk.db.verify({ repair })
      const isMendable = report.problems.some(({ harm }) => harm === 'mendable')
      this.#report.replaceChildren(
        ...reportOf(report),
        isMendable && !repair && !this.#desk.isReadOnly ? button('Mend it', 'mend', () => void this.#verify(true)) : '',
      )
    })
    if (!isDone) this.#report.textContent = ''
  }

  async #compact(): Promise<void> {
    this.#report.textContent = 'Writing all that is live anew.'
    const isDone = await this.#desk.act(async () => {
      const { before, after } = await this.#desk.db.compact()
      this.#report.textContent = `Compacted: ${bytes(before)} before, ${bytes(after)} now.`
      await this.show()
    })
    if (!isDone) this.#report.textContent = ''
  }
}

function reportOf({ ok, problems, checked, mended }: VerifyReport): HTMLElement[] {
  const { commits, rows, bytes: read } = checked
  const looked = `${counted(commits, 'commit', 'commits')}, ${counted(rows, 'row', 'rows')}, ${bytes(read)} were read.`
  return [
    element(
      'p',
      { class: ok ? 'good' : 'wrong' },
      ok ? `Nothing is wrong. ${looked}` : `Something is wrong. ${looked}`,
    ),
    element(
      'ul',
      {},
      ...problems.map(({ code, harm, message, count: often }) =>
        element('li', {}, `${sentence(message)} (${code}, ${often} ×): ${HARM[harm]}.`),
      ),
      ...mended.map((code) => element('li', {}, `Mended: ${code}.`)),
    ),
  ]
}

function stateOf(stats: Stats): HTMLElement[] {
  const { room, encryption, encoder, extraction, opening, codebookPending } = stats
  const many = (value: number) => (value === 0 ? undefined : count(value))
  const inUse = room === undefined ? undefined : room.used / room.of
  return [
    element('h2', {}, 'What it holds'),
    facts(
      ['Memories', count(stats.episodes)],
      ['Earlier versions', many(stats.versions)],
      ['Sessions', many(stats.sessions)],
      ['Speakers', many(stats.speakers)],
      ['Concepts', many(stats.concepts)],
      ['Beliefs', many(stats.beliefs)],
      ['Goals', many(stats.goals)],
      ['Knowledge', many(stats.atoms)],
      ['Procedures', many(stats.procedures)],
      ['Forgotten, can be brought back', many(stats.tombstones)],
    ),
    element('h2', {}, 'How it is kept'),
    facts(
      ['Durability', element('span', { class: `mark ${stats.durability}` }, stats.durability)],
      ['Why', sentence(stats.durabilityReason)],
      ['Storage', stats.storage],
      ['Stored', bytes(stats.bytes)],
      ['Main memory', bytes(stats.memory)],
      [
        'Room',
        room &&
          element(
            'span',
            {},
            element('meter', { min: '0', max: '1', value: `${inUse}`, 'aria-label': 'Room in use' }),
            ` ${bytes(room.used)} of ${bytes(room.of)} (${percent(inUse ?? 0)}), `,
            room.persisted ? 'stays when room is short' : 'may be deleted when room is short',
          ),
      ],
      ['Encryption', encryption.kind],
      ['Answered by', stats.role === 'owner' ? 'this tab' : 'another tab'],
    ),
    element('h2', {}, 'How it recalls'),
    facts(
      ['Kernel', stats.kernel],
      ['Codebook', codebookPending === undefined ? stats.codebook : `${codebookPending.phase} …`],
      ['Ranker', stats.ranker],
      [
        'Extractor',
        extraction && `${extraction.extractor}: ${count(extraction.extracted)} read, ${count(extraction.pending)} wait`,
      ],
      ['Sentence encoder', encoder && encoder.id.slice(0, 12)],
    ),
    ...(opening.length === 0
      ? []
      : [
          element('h2', {}, 'What happened on opening'),
          element('ul', {}, ...opening.map(({ message }) => element('li', {}, sentence(message)))),
        ]),
  ]
}
