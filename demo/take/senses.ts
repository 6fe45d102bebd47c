import type { Encoder } from '../../src/runtimes/browser/index.js'

/**
 * The encoders of the app, which ships no model: pictures are alike by where their colours lie, sounds by the strength
 * of their tones. What they show or say is found by their captions. `imageEncoder` and `audioEncoder` of `agidb/onnx`
 * take their places where a page has models. What they run is loaded with the first picture or sound.
 */
export const image: Encoder<'image'> = {
  modality: 'image',
  id: 'c0105e2d'.repeat(8),
  dimension: 192,
  encode: async (inputs) => {
    const { coloursOf } = await import('./encode.js')
    return Promise.all(inputs.map(coloursOf))
  },
  close: async () => {},
}

export const audio: Encoder<'audio'> = {
  modality: 'audio',
  id: '70e57012'.repeat(8),
  dimension: 36,
  encode: async (inputs) => {
    const { tonesOf } = await import('./encode.js')
    return Promise.all(inputs.map(tonesOf))
  },
  close: async () => {},
}
