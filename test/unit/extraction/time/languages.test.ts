import { describe, expect, it } from 'vitest'
import { mentions } from '../../../../src/extraction/time/mentions.js'

/** A Wednesday afternoon. */
const NOW = Date.UTC(2026, 10, 18, 15, 30)

const EXPECTED: Readonly<Record<string, string>> = {
  yesterday: '2026-11-17 2026-11-18',
  tomorrow: '2026-11-19 2026-11-20',
  lastWeek: '2026-11-09 2026-11-16',
  twoDaysAgo: '2026-11-16 2026-11-17',
  lastMonth: '2026-10-01 2026-11-01',
  may2023: '2023-05-01 2023-06-01',
  eighth: '2023-05-08 2023-05-09',
  in2022: '2022-01-01 2023-01-01',
  lastFriday: '2026-11-13 2026-11-14',
  lastSummer: '2026-06-01 2026-09-01',
}
const SAID: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  German: {
    yesterday: 'Ich war gestern im Kino',
    tomorrow: 'Wir fahren morgen nach Köln',
    lastWeek: 'letzte Woche war ich krank',
    twoDaysAgo: 'das war vor zwei Tagen',
    lastMonth: 'im letzten Monat',
    may2023: 'im Mai 2023 haben wir',
    eighth: 'am 8. Mai 2023',
    in2022: 'im Jahr 2022',
    lastFriday: 'letzten Freitag',
    lastSummer: 'letzten Sommer',
  },
  Spanish: {
    yesterday: 'Ayer fui al cine',
    tomorrow: 'Nos vamos mañana a Cádiz',
    lastWeek: 'la semana pasada estuve en casa',
    twoDaysAgo: 'fue hace dos días',
    lastMonth: 'el mes pasado',
    may2023: 'en mayo de 2023',
    eighth: 'el 8 de mayo de 2023',
    in2022: 'en el verano y en 2022',
    lastFriday: 'el viernes pasado',
    lastSummer: 'el verano pasado',
  },
  French: {
    yesterday: 'Je suis allé au cinéma hier',
    tomorrow: 'nous partons demain',
    lastWeek: 'la semaine dernière',
    twoDaysAgo: 'il y a deux jours',
    lastMonth: 'le mois dernier',
    may2023: 'en mai 2023',
    eighth: 'le 8 mai 2023',
    in2022: 'nous avons commencé en 2022',
    lastFriday: 'vendredi dernier',
    lastSummer: "l'été dernier",
  },
  Italian: {
    yesterday: 'Ieri sono andato al cinema',
    tomorrow: 'domani non ci sono',
    lastWeek: 'la settimana scorsa',
    twoDaysAgo: 'due giorni fa',
    lastMonth: 'il mese scorso',
    may2023: 'a maggio 2023',
    eighth: "l'8 maggio 2023",
    in2022: 'nel 2022',
    lastFriday: 'venerdì scorso',
    lastSummer: 'la scorsa estate',
  },
  Dutch: {
    yesterday: 'Ik was gisteren ziek',
    tomorrow: 'wij gaan morgen naar het strand',
    lastWeek: 'vorige week was ik ziek',
    twoDaysAgo: 'twee dagen geleden',
    lastMonth: 'vorige maand',
    may2023: 'in mei 2023',
    eighth: 'op 8 mei 2023',
    in2022: 'in het jaar 2022',
    lastFriday: 'vorige vrijdag',
    lastSummer: 'vorige zomer',
  },
  Portuguese: {
    yesterday: 'Ontem fui ao cinema',
    tomorrow: 'amanhã não posso',
    lastWeek: 'na semana passada',
    twoDaysAgo: 'há dois dias',
    lastMonth: 'no mês passado',
    may2023: 'em maio de 2023',
    eighth: 'em 8 de maio de 2023',
    in2022: 'foi em 2022',
    lastFriday: 'sexta-feira passada',
    lastSummer: 'no verão passado',
  },
}

describe.each(Object.entries(SAID))('%s', (_, said) => {
  it.each(Object.entries(said))('%s: %s', (time, text) => {
    const found = mentions(text, NOW).map(
      ({ from, to }) => `${new Date(from).toISOString().slice(0, 10)} ${new Date(to).toISOString().slice(0, 10)}`,
    )
    expect(found).toEqual([EXPECTED[time]])
  })
})

it.each([
  'Guten Morgen zusammen',
  'das ist mir so egal',
  'am Morgen',
  'buenos días a todos',
  'un mar de dudas',
  'bonne année à tous',
  'le sol est sec',
  'il mare è calmo',
])('no time in "%s"', (text) => {
  expect(mentions(text, NOW)).toEqual([])
})
