/** Something that a project comes back to. */
export interface Lasting {
  /** The day of the month on which it is written down, from 1. */
  readonly day: number
  readonly text: string
  readonly perspectives: readonly string[]
  /** Questions to which it is the answer. */
  readonly asked: readonly string[]
  /** How many of these questions are asked on a day on which the project is worked on. */
  readonly often: number
  /** What it was worked out from: places in the list, each of an earlier day. */
  readonly from?: readonly number[]
}

/** A decision in a document that is stored again when it changes. */
export interface Revised {
  readonly source: string
  readonly versions: readonly (readonly [day: number, text: string])[]
}

/** A project, the days on which it is worked on, and what daily notes of it are made of. */
export interface Project {
  readonly name: string
  readonly days: readonly [first: number, last: number]
  readonly people: readonly string[]
  readonly parts: readonly string[]
  readonly lasting: readonly Lasting[]
  readonly revised: readonly Revised[]
}

const FERRY: Project = {
  name: 'Ferry',
  days: [1, 14],
  people: ['Ines', 'Omar', 'Tess'],
  parts: ['refund job', 'card gateway', 'invoice export', 'fee table', 'bank import', 'retry queue'],
  lasting: [
    {
      day: 1,
      text: 'Ferry moves all payments of the shop from three services into one ledger.',
      perspectives: ['intentions', 'knowledge'],
      asked: ['What is Ferry for?', 'Where do payments go in the end?'],
      often: 2,
    },
    {
      day: 2,
      text: 'Ines owns the ledger schema; Omar owns the card gateway; Tess signs off what touches money.',
      perspectives: ['people'],
      asked: ['Who owns the ledger schema?', 'Who signs off changes that touch money?'],
      often: 2,
    },
    {
      day: 3,
      text: 'Every booking in the ledger has an idempotency key, so that a retry never pays twice.',
      perspectives: ['decisions', 'knowledge'],
      asked: ['How do we keep a retry from paying twice?', 'Why does a booking carry a key?'],
      often: 3,
    },
    {
      day: 6,
      text: 'A retry without a key paid 41 customers twice; we found it only because the bank called.',
      perspectives: ['learnings', 'temporal'],
      asked: ['When did we pay customers twice?', 'What did the bank call about?'],
      often: 1,
      from: [2],
    },
    {
      day: 9,
      text: 'Should refunds be bookings of their own, or negative payments? Reports need one answer.',
      perspectives: ['decisions', 'intentions'],
      asked: ['Are refunds bookings of their own or negative payments?'],
      often: 3,
      from: [0, 2, 3],
    },
  ],
  revised: [
    {
      source: 'ferry/cut-over.md',
      versions: [
        [4, 'The cut-over to the ledger is on the 12th, at night, all shops at once.'],
        [8, 'The cut-over to the ledger is on the 26th, shop by shop, the small shops first.'],
      ],
    },
  ],
}

const LANTERN: Project = {
  name: 'Lantern',
  days: [9, 24],
  people: ['Yuki', 'Bram', 'Tess'],
  parts: ['tile cache', 'trail search', 'compass', 'download screen', 'battery log', 'hut list'],
  lasting: [
    {
      day: 9,
      text: 'Lantern is a map for hikers that works without a network for a week.',
      perspectives: ['intentions', 'knowledge'],
      asked: ['What is Lantern?', 'Which map works without a network?'],
      often: 2,
    },
    {
      day: 10,
      text: 'Map tiles are stored as vectors, not as pictures: a tenth of the size, and they can be turned.',
      perspectives: ['decisions', 'knowledge'],
      asked: ['Are map tiles pictures or vectors?', 'Why are the tiles so small?'],
      often: 3,
    },
    {
      day: 13,
      text: 'The compass is wrong beside steel huts; show the direction of walking when both differ by 30°.',
      perspectives: ['learnings', 'decisions'],
      asked: ['Why is the compass wrong beside a hut?', 'What do we show when the compass is off?'],
      often: 2,
    },
    {
      day: 16,
      text: 'Yuki tests on the ridge every second Thursday; her build must be ready on Wednesday noon.',
      perspectives: ['people', 'temporal'],
      asked: ['When must the build for the ridge be ready?', 'Where does Yuki test?'],
      often: 2,
    },
    {
      day: 19,
      text: 'Does the download screen choose the region, or does the hiker draw it? Both failed half of the testers.',
      perspectives: ['decisions', 'people'],
      asked: ['Who chooses the region to download?'],
      often: 3,
      from: [0, 1, 3],
    },
  ],
  revised: [
    {
      source: 'lantern/battery.md',
      versions: [
        [12, 'The location is read once a second while the screen is on.'],
        [20, 'The location is read every five seconds while somebody walks, and once a minute while they rest.'],
      ],
    },
  ],
}

const SIEVE: Project = {
  name: 'Sieve',
  days: [18, 30],
  people: ['Noor', 'Omar', 'Piet'],
  parts: ['sender list', 'link check', 'training run', 'quarantine view', 'header parser', 'weekly report'],
  lasting: [
    {
      day: 18,
      text: 'Sieve sorts spam out of the mail of schools, and must never lose a letter from a parent.',
      perspectives: ['intentions', 'knowledge'],
      asked: ['What does Sieve do?', 'Which letters must never get lost?'],
      often: 2,
    },
    {
      day: 19,
      text: 'Nothing is deleted: what looks like spam waits 30 days in quarantine, where the school can take it out.',
      perspectives: ['decisions', 'knowledge'],
      asked: ['How long does suspicious mail stay in quarantine?', 'Do we delete spam?'],
      often: 3,
    },
    {
      day: 22,
      text: 'Newsletters of sports clubs look like spam to every model; the sender list must catch them before.',
      perspectives: ['learnings', 'knowledge'],
      asked: ['Why did newsletters of sports clubs land in spam?'],
      often: 2,
      from: [0],
    },
    {
      day: 25,
      text: 'Noor decides about thresholds; Piet talks to the schools; no threshold changes on a Friday.',
      perspectives: ['people', 'decisions'],
      asked: ['Who decides about thresholds?', 'May a threshold change on a Friday?'],
      often: 2,
    },
    {
      day: 27,
      text: 'Do we train one model for all schools, or one for each? One leaks names, many learn too little.',
      perspectives: ['decisions', 'intentions'],
      asked: ['One model for all schools or one for each?'],
      often: 3,
      from: [0, 1, 2],
    },
  ],
  revised: [
    {
      source: 'sieve/threshold.md',
      versions: [
        [20, 'Mail is held back from a spam score of 0.80 on.'],
        [28, 'Mail is held back from a spam score of 0.93 on; below that it gets a yellow mark.'],
      ],
    },
  ],
}

export const PROJECTS: readonly Project[] = [FERRY, LANTERN, SIEVE]
