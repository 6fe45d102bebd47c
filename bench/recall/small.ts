import { drawn, seeded, shuffled } from '../random.js'
import type { Exam, Question } from './exam.js'

/** Memories of each size that are made of a conversation, in each of the ways of {@link smallMemories}. */
const REPEATED = 2
const SIZES = [1, 2, 4, 7, 12, 18, 25, 35, 48]
/**
 * Questions that each is asked, at most, of those that it answers; as many others, three of five about the same
 * conversation.
 */
const ASKED = 5
const ABOUT_THE_SAME = 0.6
/** Draws after which a memory of scattered turns may stay smaller. */
const DRAWS = 200

/**
 * Small memories made of conversations, the same for the same seed: stretches of turns as they were said, scattered
 * turns, and scattered turns without speakers and sessions, as a list of facts. Each is asked questions that all of
 * their evidence is there for, and others: of the same conversation, whose evidence is not there, and of the next one.
 */
export function smallMemories(exams: readonly Exam[], seed: number): Exam[] {
  const random = seeded(seed)
  return exams.flatMap((exam, at) =>
    SIZES.flatMap((size) =>
      Array.from({ length: REPEATED }, () =>
        (['stretch', 'scattered', 'facts'] as const).map((way) => {
          const chosen = way === 'stretch' ? stretch(exam, size, random) : scattered(exam, size, random)
          return smallMemory(exam, exams[(at + 1) % exams.length], chosen, way === 'facts', random)
        }),
      ).flat(),
    ),
  )
}

function stretch({ observations, questions }: Exam, size: number, random: () => number): number[] {
  const near = drawn(questions, random).gold[0]
  const start = Math.max(0, Math.min(observations.length - size, near - Math.floor(random() * size)))
  return Array.from({ length: Math.min(size, observations.length) }, (_, i) => start + i)
}

/** Half of them evidence of some question. */
function scattered({ observations, questions }: Exam, size: number, random: () => number): number[] {
  const chosen = new Set<number>()
  for (let draw = 0; draw < DRAWS && chosen.size < size; draw++) {
    const { gold } = random() < 0.5 ? drawn(questions, random) : { gold: [Math.floor(random() * observations.length)] }
    if (chosen.size + gold.length <= size) for (const index of gold) chosen.add(index)
  }
  return [...chosen].sort((a, b) => a - b)
}

function smallMemory(
  { name, observations, questions }: Exam,
  next: Exam,
  chosen: readonly number[],
  bare: boolean,
  random: () => number,
): Exam {
  const here = new Map(chosen.map((index, i) => [index, i]))
  const answered = shuffled(
    questions.filter(({ gold }) => gold.every((index) => here.has(index))),
    random,
  ).slice(0, ASKED)
  const without = shuffled(
    questions.filter(({ gold }) => !gold.some((index) => here.has(index))),
    random,
  )
  const same = without.slice(0, Math.ceil(answered.length * ABOUT_THE_SAME))
  const foreign = shuffled(next.questions, random).slice(0, answered.length - same.length)
  return {
    name,
    observations: chosen.map((index) =>
      bare ? { text: observations[index].text, at: observations[index].at } : observations[index],
    ),
    questions: answered.map(
      (question): Question => ({ ...question, gold: question.gold.map((index) => here.get(index)!) }),
    ),
    unanswerable: [...same, ...foreign].map((question): Question => ({ ...question, gold: [] })),
  }
}
