import { MODALITIES, POLARITIES } from '../../api/extractor.js'

const text = { type: 'string', minLength: 1 }

function object(properties: Readonly<Record<string, object>>): object {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

/** The JSON schema of an answer, in the part of the language that models with structured output know. */
export const ANSWER_SCHEMA = object({
  entities: { type: 'array', items: object({ mention: text, type: text }) },
  statements: {
    type: 'array',
    items: object({
      subject: text,
      predicate: text,
      object: text,
      polarity: { type: 'string', enum: [...POLARITIES] },
      modality: { type: 'string', enum: [...MODALITIES] },
      confidence: { type: 'number', minimum: 0, maximum: 1 },
      quote: text,
    }),
  },
})
