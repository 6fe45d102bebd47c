import { ENTITY_TYPES, type EntityType, RELATION_TYPES, type RelationType } from '../../api/graph.js'
import { said } from '../../encoding/predicate.js'

/** The predicates of each type of relation, as their stems are compared. What none names is `OTHER`. */
const PREDICATES: Readonly<Partial<Record<RelationType, readonly string[]>>> = {
  MANAGES: ['manages', 'leads', 'runs', 'heads', 'directs', 'supervises', 'is manager of', 'is head of', 'oversees'],
  AUTHORED: ['wrote', 'writes', 'authored', 'published', 'is author of', 'drafted', 'composed'],
  ATTENDED: ['attended', 'went to', 'visited', 'joined', 'took part in', 'participated in', 'was at'],
  PART_OF: ['is part of', 'part of', 'belongs to', 'is in', 'is located in', 'consists of', 'is a component of'],
  RELATED_TO: ['is related to', 'related to', 'is about', 'concerns', 'has to do with', 'is connected to'],
  CAUSES: ['causes', 'caused', 'leads to', 'led to', 'results in', 'brought about'],
  DEPENDS_ON: ['depends on', 'relies on', 'needs', 'requires'],
  USES: ['uses', 'is using', 'works with', 'runs on', 'is built with', 'is written in'],
  CREATED: [
    'created',
    'made',
    'makes',
    'built',
    'builds',
    'founded',
    'started',
    'invented',
    'designed',
    'developed',
    'painted',
  ],
  MENTIONS: ['mentions', 'mentioned', 'cites', 'refers to', 'talked about', 'told about'],
  MEMBER_OF: ['is member of', 'is a member of', 'member of', 'works at', 'works for', 'is employed by', 'plays for'],
  ASSIGNED_TO: ['is assigned to', 'assigned to', 'works on', 'is responsible for', 'owns'],
  REPORTED_BY: ['was reported by', 'reported by', 'is reported by', 'was found by'],
  BLOCKED_BY: ['is blocked by', 'blocked by', 'waits for', 'is waiting for', 'is stuck on'],
  IMPLEMENTS: ['implements', 'implemented', 'realises', 'realizes'],
  EXTENDS: ['extends', 'extended', 'inherits from', 'is based on', 'builds on'],
  TESTED_BY: ['is tested by', 'tested by', 'was tested by', 'is covered by'],
  DEPLOYED_TO: ['is deployed to', 'deployed to', 'was deployed to', 'runs in', 'is hosted on'],
  MONITORS: ['monitors', 'monitored', 'watches', 'observes', 'tracks'],
  TRIGGERS: ['triggers', 'triggered', 'starts', 'sets off', 'fires'],
}

/** What extractors call entities, by type. What none names is `OTHER`. */
const KINDS: Readonly<Partial<Record<EntityType, readonly string[]>>> = {
  PERSON: ['person', 'per', 'human', 'people'],
  ORGANIZATION: ['organization', 'organisation', 'org', 'company', 'institution', 'school'],
  PROJECT: ['project'],
  CONCEPT: ['concept', 'topic', 'idea', 'animal', 'pet', 'food'],
  EVENT: ['event', 'meeting', 'holiday', 'incident'],
  LOCATION: ['location', 'place', 'loc', 'gpe', 'city', 'country', 'address'],
  TOOL: ['tool', 'software', 'app', 'application'],
  SKILL: ['skill', 'hobby', 'activity'],
  DOCUMENT: ['document', 'book', 'work', 'file', 'article'],
  PRODUCT: ['product', 'device', 'vehicle', 'instrument'],
  ROLE: ['role', 'title', 'profession', 'job'],
}

const BY_PREDICATE = new Map<string, RelationType>()
for (const type of RELATION_TYPES)
  for (const predicate of PREDICATES[type] ?? [])
    if (!BY_PREDICATE.has(stemsOf(predicate))) BY_PREDICATE.set(stemsOf(predicate), type)

const BY_KIND = new Map<string, EntityType>()
for (const type of ENTITY_TYPES)
  for (const kind of [type.toLowerCase(), ...(KINDS[type] ?? [])]) BY_KIND.set(kind, type)

/** The types that were looked up: predicates are few and come often. Dropped whole at this many. */
const CACHE = 10_000
const known = new Map<string, RelationType | undefined>()

/**
 * The type of relation that a predicate states; `undefined` where it denies one: "does not manage" is no relation.
 *
 * @param predicate a type of relation in capitals is itself.
 */
export function relationTypeOf(predicate: string): RelationType | undefined {
  if (isRelationType(predicate)) return predicate
  let type = known.get(predicate)
  if (type !== undefined || known.has(predicate)) return type
  const { negated } = said(predicate)
  type = negated ? undefined : (BY_PREDICATE.get(stemsOf(predicate)) ?? 'OTHER')
  if (known.size >= CACHE) known.clear()
  known.set(predicate, type)
  return type
}

/** The type of what an extractor calls so. */
export function entityTypeOf(kind: string | undefined): EntityType {
  return (kind === undefined ? undefined : BY_KIND.get(kind.toLowerCase())) ?? 'OTHER'
}

export function isRelationType(text: string): text is RelationType {
  return (RELATION_TYPES as readonly string[]).includes(text)
}

function stemsOf(predicate: string): string {
  return said(predicate).stems
}
