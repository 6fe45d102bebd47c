import { expect, test } from 'vitest'
import { contributions, wordsOf } from '../../../demo/mind/frame.js'
import { openMemory } from '../engine/open.js'
import { bandEnergies, chord, colourLayout, discs } from '../toys/senses.js'

test('a frame without words is shown with the text that its episode has', async () => {
  const db = await openMemory({ encoders: { image: colourLayout, audio: bandEnergies } })
  await db.observeSensory({ modality: 'multimodal', image: discs(1), audio: chord(1) })
  await db.observeSensory({ modality: 'audio', audio: chord(2) })
  await db.observeSensory({ modality: 'multimodal', text: 'A bell.', audio: chord(3) })
  const { frames } = await db.workingState()
  for (const frame of frames) expect(wordsOf(frame)).toBe((await db.getEpisode(frame.promotedTo!))!.text)
  expect(frames.map(wordsOf)).toEqual(['(image, audio)', '(audio)', 'A bell.'])
})

test('the sense that surprised counts', () => {
  const parts = [
    { modality: 'text', surprise: 0.1 },
    { modality: 'image', surprise: 0.75 },
  ] as const
  expect(contributions({ parts, surprise: 0.75 })).toEqual([
    { name: 'words', surprise: 0.1, counts: false },
    { name: 'picture', surprise: 0.75, counts: true },
  ])
  expect(contributions({ surprise: 0.5 })).toEqual([])
})
