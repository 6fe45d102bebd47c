import type { FramePart, SensoryFrame } from '../../src/runtimes/browser/index.js'

const NAMES: Readonly<Record<FramePart['modality'], string>> = {
  text: 'words',
  image: 'picture',
  audio: 'sound',
  video: 'video',
}

/** What a sense contributed to the surprise of a frame. */
export interface Contribution {
  readonly name: string
  readonly surprise: number
  /** Whether the frame is as surprising as this sense says. */
  readonly counts: boolean
}

/** What a frame says; without words what it was perceived by, as the text of its episode would be. */
export function wordsOf({ text, modality, parts = [] }: Pick<SensoryFrame, 'text' | 'modality' | 'parts'>): string {
  if (text !== undefined) return text
  return `(${modality === 'multimodal' ? parts.map((part) => part.modality).join(', ') : modality})`
}

/** What each sense contributed to the surprise of a frame of several. */
export function contributions({
  parts = [],
  surprise: whole,
}: Pick<SensoryFrame, 'parts' | 'surprise'>): Contribution[] {
  return parts.map(({ modality, surprise }) => ({ name: NAMES[modality], surprise, counts: surprise === whole }))
}
