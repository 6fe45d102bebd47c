import type { Episode, Triple } from '../../api/episode.js'
import type { Statement } from '../../api/extractor.js'
import { type Child, element, facts } from '../dom/element.js'
import { percent, time } from '../dom/format.js'

/** Where a memory comes from, and what was read out of it. */
export function provenance(episode: Episode): HTMLElement {
  const { id, at, recordedAt, updatedAt, expiresAt, session, source, metadata, entry, provenance: from } = episode
  const place = entry?.places[0]
  return element(
    'section',
    { 'aria-labelledby': 'provenance-title' },
    element('h3', { id: 'provenance-title' }, 'Where it comes from'),
    facts(
      ['Source', source],
      ['Session', session],
      ['Document', place && [place.source, ...place.path].join(' › ')],
      ['Written by', from.writer],
      ['True from', moment(at)],
      ['Recorded', moment(recordedAt)],
      ['Edited', updatedAt && moment(updatedAt)],
      ['To be forgotten', expiresAt && moment(expiresAt)],
      ['Id', element('code', {}, id)],
      [
        'Metadata',
        metadata && element('pre', { tabindex: '0', 'aria-label': 'Metadata' }, JSON.stringify(metadata, null, 2)),
      ],
    ),
    ...statements(episode),
  )
}

function statements({ triples, extraction }: Episode): Child[] {
  const given = extraction?.given ?? triples.length
  const found = extraction?.triples ?? []
  const by = extraction && `${extraction.extractor} ${extraction.version}`
  const items = [
    ...triples.slice(0, given).map((triple) => statement(triple, 'given')),
    ...found.map((triple) => statement(triple, circumstances(triple))),
  ]
  const named = extraction?.entities ?? []
  return [
    element('h3', {}, 'What it states'),
    items.length === 0
      ? element(
          'p',
          { class: 'note' },
          extraction === undefined ? 'Nobody has read it yet.' : 'No statement was found.',
        )
      : element('ul', { class: 'statements' }, ...items),
    named.length === 0
      ? undefined
      : element(
          'ul',
          { class: 'tags', 'aria-label': 'What it names' },
          ...named.map(({ text, type }) => element('li', {}, `${text} (${type})`)),
        ),
    by === undefined ? undefined : element('p', { class: 'note' }, `Read by the extractor ${by}.`),
  ]
}

function statement({ subject, predicate, object }: Triple, note: string): HTMLElement {
  return element(
    'li',
    {},
    element('strong', {}, subject),
    ` ${predicate} `,
    element('strong', {}, object),
    element('span', { class: 'note' }, ` ${note}`),
  )
}

function circumstances({ polarity, modality, confidence }: Statement): string {
  const denied = polarity === 'negative' ? 'denied, ' : ''
  return `${denied}${modality}, ${percent(confidence)}`
}

/** A moment for people, with the exact one for who points at it. */
function moment(at: string): HTMLElement {
  return element('time', { datetime: at, title: at }, time(at))
}
