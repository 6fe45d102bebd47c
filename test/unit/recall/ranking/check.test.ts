import { describe, expect, it } from 'vitest'
import type { Calibration, Model, Ranker, Tree } from '../../../../src/api/ranker.js'
import { AgidbError } from '../../../../src/base/errors.js'
import { checkRanker } from '../../../../src/recall/ranking/check.js'

const KNOWN = ['words.z', 'text.z']
const TREE: Tree = { feature: [1, 0, 0], threshold: [0.5, 0, 0], left: [1, 0, 0], value: [0, -1, 1] }
const CALIBRATION: Calibration = {
  inputs: ['score', 'gap', 'rank', 'text.z'],
  weights: [1, 2, 3, 4],
  intercept: 0,
  answered: 0,
}
const MODEL: Model = { features: ['words.z', 'text.z'], trees: [TREE], scale: 1, calibration: CALIBRATION }
const RANKER: Ranker = {
  format: 'agidb-ranker',
  version: 1,
  name: 'own',
  trainedOn: 'my chats',
  licence: 'mine',
  models: { plain: MODEL },
}

const withModel = (model: unknown) => ({ ...RANKER, models: { plain: model } })
const withTree = (tree: unknown) => withModel({ ...MODEL, trees: [TREE, tree] })
const withCalibration = (calibration: unknown) => withModel({ ...MODEL, calibration })
const refusal = (value: unknown) => {
  try {
    checkRanker(value, KNOWN)
  } catch (error) {
    return error as AgidbError
  }
  throw new Error('it was accepted')
}

describe('checkRanker', () => {
  it('accepts what it should, and the same after JSON', () => {
    expect(checkRanker(RANKER, KNOWN)).toBe(RANKER)
    expect(checkRanker(JSON.parse(JSON.stringify(RANKER)), KNOWN)).toEqual(RANKER)
    const all = { ...RANKER, models: { plain: MODEL, codebook: MODEL, encoder: MODEL } }
    expect(checkRanker(all, KNOWN)).toBe(all)
  })

  it.each<[string, unknown, string]>([
    ['undefined', undefined, 'is no ranker'],
    ['null', null, 'is no ranker'],
    ['text', 'own', 'is no ranker'],
    ['an array', [], 'is no ranker'],
    ['another format', { ...RANKER, format: 'other' }, 'is no ranker'],
    ['a newer version', { ...RANKER, version: 2 }, 'version 2'],
    ['a version that has no text', { ...RANKER, version: Object.create(null) }, 'version an object'],
    ['no name', { ...RANKER, name: undefined }, 'no name'],
    ['a number for a licence', { ...RANKER, licence: 7 }, 'no licence'],
    ['no word of its training', { ...RANKER, trainedOn: null }, 'no trainedOn'],
    ['records without a database', { ...RANKER, records: { ids: ['a'] } }, 'records that are none'],
    ['records with a number', { ...RANKER, records: { database: 'd', ids: [1] } }, 'records that are none'],
    ['no models', { ...RANKER, models: {} }, 'no models'],
    ['models null', { ...RANKER, models: null }, 'no models'],
    ['a model for something else', { ...RANKER, models: { magic: MODEL } }, '"magic"'],
    ['a model null', withModel(null), 'without features or trees'],
    ['no features', withModel({ ...MODEL, features: undefined }), 'without features or trees'],
    ['no list of trees', withModel({ ...MODEL, trees: {} }), 'without features or trees'],
    ['no trees', withModel({ ...MODEL, trees: [] }), 'without features or trees'],
    ['too many trees', withModel({ ...MODEL, trees: new Array(5_001).fill(TREE) }), '5001 trees'],
    ['an unknown feature', withModel({ ...MODEL, features: ['words.z', 'smell.z'] }), '"smell.z"'],
    ['a number for a feature', withModel({ ...MODEL, features: [3, 'text.z'] }), 'feature 3'],
    ['no scale', withModel({ ...MODEL, scale: undefined }), 'scale'],
    ['a scale of nothing', withModel({ ...MODEL, scale: 0 }), 'scale'],
    ['an endless scale', withModel({ ...MODEL, scale: Infinity }), 'scale'],
    ['a tree null', withTree(null), 'number 1'],
    ['a tree without nodes', withTree({ feature: [], threshold: [], left: [], value: [] }), 'number 1'],
    ['columns of unequal length', withTree({ ...TREE, value: [0, 1] }), 'number 1'],
    ['a column that is none', withTree({ ...TREE, value: '012' }), 'number 1'],
    ['a value that is none', withTree({ ...TREE, value: [0, NaN, 1] }), 'number 1'],
    ['a value that JSON lost', withTree({ ...TREE, value: [0, null, 1] }), 'number 1'],
    ['text for a threshold', withTree({ ...TREE, threshold: ['0.5', 0, 0] }), 'number 1'],
    ['a feature that the model has not', withTree({ ...TREE, feature: [2, 0, 0] }), 'number 1'],
    ['a feature below none', withTree({ ...TREE, feature: [-1, 0, 0] }), 'number 1'],
    ['half a feature', withTree({ ...TREE, feature: [0.5, 0, 0] }), 'number 1'],
    ['a child past the end', withTree({ ...TREE, left: [2, 0, 0] }), 'number 1'],
    ['half a child', withTree({ ...TREE, left: [0.5, 0, 0] }), 'number 1'],
    ['a circle', withTree({ ...TREE, left: [1, 1, 0] }), 'number 1'],
    ['a child before its parent', withTree({ ...TREE, left: [1, 0, 1] }), 'number 1'],
    ['no calibration', withCalibration(undefined), 'calibration'],
    ['a calibration null', withCalibration(null), 'calibration'],
    ['more inputs than weights', withCalibration({ ...CALIBRATION, weights: [1] }), 'calibration'],
    ['no intercept', withCalibration({ ...CALIBRATION, intercept: undefined }), 'calibration'],
    [
      'no word from which confidence on a cue is answered',
      withCalibration({ ...CALIBRATION, answered: null }),
      'calibration',
    ],
    ['a weight that is none', withCalibration({ ...CALIBRATION, weights: [1, 2, 3, NaN] }), 'calibration'],
    ['no threshold for an answer', withCalibration({ inputs: ['score'], weights: [1], intercept: 0 }), 'calibration'],
    ['an unknown input', withCalibration({ ...CALIBRATION, inputs: ['score', 'gap', 'rank', 'mood'] }), '"mood"'],
  ])('refuses %s', (_, value, message) => {
    const error = refusal(value)
    expect(error).toBeInstanceOf(AgidbError)
    expect(error.code).toBe('AGIDB_RANKER')
    expect(error.message).toMatch(/^the ranker /)
    expect(error.message).toContain(message)
  })
})
