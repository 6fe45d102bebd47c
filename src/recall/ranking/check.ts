import { describe } from '../../api/check.js'
import { AgidbError } from '../../base/errors.js'
import type { Equipment, Model, Ranker, Tree } from '../../api/ranker.js'
import { lettersOf } from './forest.js'

/** The version of the form of {@link Ranker}. */
export const RANKER_VERSION = 1

const EQUIPMENTS: readonly string[] = ['plain', 'codebook', 'encoder'] satisfies Equipment[]
const MOST_TREES = 5_000
const MOST_NODES = 10_000

/**
 * Checks what a caller gives as a ranker, to the last node.
 *
 * @param known names of the features that this version computes.
 * @throws AgidbError `AGIDB_RANKER`.
 */
export function checkRanker(value: unknown, known: readonly string[]): Ranker {
  const ranker = value as Partial<Ranker> | null
  if (typeof ranker !== 'object' || ranker === null || ranker.format !== 'agidb-ranker') {
    throw refuse(
      "is no ranker; give 'free', 'fusion', the one of agidb/rankers/locomo, " +
        'or the JSON that agidb train wrote, parsed',
    )
  }
  if (ranker.version !== RANKER_VERSION)
    throw refuse(`has version ${describe(ranker.version)}; this agidb reads version ${RANKER_VERSION}`)
  for (const part of ['name', 'trainedOn', 'licence'] as const) {
    if (typeof ranker[part] !== 'string') throw refuse(`has no ${part}, a string`)
  }
  const { records } = ranker
  if (records !== undefined && !isRecords(records))
    throw refuse('has records that are none; expected { database, ids }, a string and an array of strings')
  if (ranker.script !== undefined && !isScript(ranker.script)) {
    throw refuse(
      `is for the script ${JSON.stringify(ranker.script)}; give the name of one as Unicode has it, ` +
        "like 'Latin', or none",
    )
  }
  const models = Object.entries(ranker.models ?? {})
  if (models.length === 0) throw refuse("has no models; it needs one at least, of 'plain', 'codebook' and 'encoder'")
  for (const [equipment, model] of models) {
    if (!EQUIPMENTS.includes(equipment))
      throw refuse(`has a model for ${JSON.stringify(equipment)}; there are 'plain', 'codebook' and 'encoder'`)
    checkModel(model, known)
  }
  return ranker as Ranker
}

function checkModel(model: Partial<Model> | null, known: readonly string[]): void {
  if (!Array.isArray(model?.features) || !Array.isArray(model.trees) || model.trees.length === 0)
    throw refuse('has a model without features or trees')
  const unknown = model.features.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw refuse(
      `asks for the feature ${JSON.stringify(unknown)}, which this version of agidb does not compute; train it anew`,
    )
  if (!Number.isFinite(model.scale) || model.scale! <= 0) throw refuse('has a model without a scale, a number above 0')
  if (model.trees.length > MOST_TREES)
    throw refuse(`has ${model.trees.length} trees; at most ${MOST_TREES} are accepted`)
  model.trees.forEach((tree, at) => {
    if (!isTree(tree, model.features!.length)) throw refuse(`has a tree, number ${at}, that is malformed`)
  })
  const { calibration } = model
  const inputs = calibration?.inputs
  if (
    !Array.isArray(inputs) ||
    !Array.isArray(calibration!.weights) ||
    inputs.length !== calibration!.weights.length ||
    ![...calibration!.weights, calibration!.intercept, calibration!.answered].every(Number.isFinite)
  ) {
    throw refuse(
      'has a model without a calibration: inputs, as many weights, an intercept, ' +
        'and from which confidence a cue is answered',
    )
  }
  const strange = inputs.find((name) => !known.includes(name) && !['score', 'gap', 'rank'].includes(name))
  if (strange !== undefined)
    throw refuse(`calibrates by ${JSON.stringify(strange)}, which this version of agidb does not compute`)
}

/** Children stand behind their parent, so that no walk can go in circles. */
function isTree(tree: Partial<Tree> | null, features: number): boolean {
  const columns = [tree?.feature, tree?.threshold, tree?.left, tree?.value]
  const nodes = tree?.feature?.length ?? 0
  if (
    nodes < 1 ||
    nodes > MOST_NODES ||
    !columns.every((column) => Array.isArray(column) && column.length === nodes && column.every(Number.isFinite))
  )
    return false
  return tree!.left!.every((left, node) => {
    const asked = tree!.feature![node]
    return (
      Number.isInteger(left) &&
      Number.isInteger(asked) &&
      asked >= 0 &&
      (left === 0 || (asked < features && left > node && left + 1 < nodes))
    )
  })
}

function isRecords(records: unknown): boolean {
  const { database, ids } = (records ?? {}) as Partial<Record<string, unknown>>
  return typeof database === 'string' && Array.isArray(ids) && ids.every((id) => typeof id === 'string')
}

function isScript(name: unknown): boolean {
  try {
    return typeof name === 'string' && /^\w+$/.test(name) && lettersOf(name).global
  } catch {
    return false
  }
}

function refuse(problem: string): AgidbError {
  return new AgidbError('AGIDB_RANKER', `the ranker ${problem}`, { option: 'ranker' })
}
