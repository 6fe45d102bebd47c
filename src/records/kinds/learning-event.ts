import { FIELD_LIMITS } from '../../api/field-limits.js'
import type { LearningEvent } from '../../api/learning.js'
import { kindOf, referencesOf, subjectsOf } from '../events/registry.js'
import { decodeTagged, encodeTagged, type RecordKind } from '../record-kind.js'
import { unitOf } from '../unit.js'

const TAG = 1
/** Of links of episodes: versions that know none refuse such rows. */
const LINK = 13

const { goal, belief, procedure, atom, concept, recall, run, selfVector, graph, unlearning } = FIELD_LIMITS

/** Something that was learned; what each kind of event says stands in the folder `events`. */
export const learningEventKind: RecordKind<LearningEvent> = {
  tag: TAG,
  laterTags: [LINK],
  name: 'learning event',
  isExported: true,
  limits: { goal, belief, procedure, atom, concept, recall, run, selfVector, graph, unlearning },
  encode: (event) => encodeTagged(tagOf(event), event),
  decode: (row) => decodeTagged(row, 'learning event') as LearningEvent,
  validate(row, id, check) {
    const wrong = 'is no learning event'
    const event = check.json(row.subarray(1)) as LearningEvent | null
    const kind = event === null || typeof event !== 'object' ? undefined : kindOf(event)
    if (kind === undefined || !kind.shape(event, check.at(event!.kind)) || event!.id !== id || tagOf(event!) !== row[0])
      return wrong
    return kind.conflict?.(event!, check)
  },
  subjects: subjectsOf,
  references: referencesOf,
  units: (event) =>
    'provenance' in event && (event.provenance.session ?? event.provenance.source) !== undefined
      ? [unitOf(event.provenance)]
      : [],
  moved(row, slotOf) {
    const event = learningEventKind.decode(row)
    const moved = kindOf(event)?.moved
    return moved === undefined ? row : learningEventKind.encode(moved(event, slotOf))
  },
}

function tagOf({ kind }: LearningEvent): number {
  return kind === 'episodeLinked' ? LINK : TAG
}
