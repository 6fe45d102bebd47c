import type { Unit } from './interval.js'

/** The languages in which times are read. */
export type Language = 'en' | 'de' | 'es' | 'fr' | 'it' | 'nl' | 'pt'

/**
 * The words by which a language is recognised, and the words without which nothing names a time. Every text and every
 * cue is searched for them. All strings are sources of regular expressions without capturing groups.
 */
export interface Vocabulary {
  readonly units: Readonly<Record<Unit | 'weekend', string>>
  /** Spring, summer, autumn, winter. */
  readonly seasons: string
  /** January first. */
  readonly months: string
  /** Monday first. */
  readonly weekdays: string
  /** Further words without which nothing names a time: yesterday, noon … */
  readonly casual: string
  readonly last: string
  readonly this: string
  readonly next: string
  /** Words of the language that others do not have, by which it is known. */
  readonly signs: string
}

/** The vocabularies, by language. Lists are separated by spaces; a `_` stands for a space inside an item. */
export const VOCABULARIES: Readonly<Record<Language, Vocabulary>> = {
  en: {
    units: {
      minute: 'min(?:ute)?s?',
      hour: 'hours?|hrs?',
      day: 'days?',
      week: 'weeks?',
      month: 'months?',
      year: 'years?|yrs?',
      weekend: 'weekends?',
    },
    seasons: 'spring summer autumn|fall winter',
    months:
      'january|jan february|feb march april|apr may june july august|aug september|sept? october|oct ' +
      'november|nov december|dec',
    weekdays: 'monday tuesday wednesday thursday friday saturday sunday',
    casual: "yesterday today tonight tomorrow tmrw? ago noon midday midnight o'clock weekday",
    last: 'last|past|previous',
    this: 'this',
    next: 'next|coming|upcoming',
    signs:
      'the and you is of to was it that what we in on at for i my he she they with not have are be this do no ' +
      'so go your our did as by or if had has been can will just about there when',
  },
  de: {
    units: {
      minute: 'minuten?',
      hour: 'stunden?',
      day: 'tag(?:en?)?',
      week: 'wochen?',
      month: 'monat(?:en?|s)?',
      year: 'jahr(?:en?|s)?',
      weekend: 'wochenenden?',
    },
    seasons: 'frühling|frühjahr sommer herbst winter',
    months: 'januar|jänner februar märz april mai juni juli august september oktober november dezember',
    weekdays: 'montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag',
    casual: 'gestern vorgestern heute morgen übermorgen minuten uhr mittag mitternacht',
    last: 'letzte[nrms]?|vergangene[nrms]?|vorige[nrms]?',
    this: 'diese[nrms]?',
    next: 'nächste[nrms]?|kommende[nrms]?',
    signs:
      'der die das und ist nicht ich wir haben habe was wann am im um vor mit ein eine den wo wer warum sind ' +
      'hast mein meine meinen dein deine',
  },
  es: {
    units: {
      minute: 'minutos?',
      hour: 'horas?',
      day: 'días?',
      week: 'semanas?',
      month: 'mes(?:es)?',
      year: 'años?',
      weekend: 'fin(?:es)? de semana',
    },
    seasons: 'primavera verano otoño invierno',
    months: 'enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre',
    weekdays: 'lunes martes miércoles jueves viernes sábado domingo',
    casual: 'ayer anteayer hace hoy mañana mediodía medianoche las_\\d',
    last: 'pasad[oa]s?|últim[oa]s?',
    this: 'est[ea]',
    next: 'próxim[oa]s?|que viene',
    signs:
      'el la los y que es en un una con por qué del fue hablamos nos las dónde cuándo cómo quién cuál está ' +
      'están mis tus',
  },
  fr: {
    units: {
      minute: 'minutes?',
      hour: 'heures?',
      day: 'jours?',
      week: 'semaines?',
      month: 'mois',
      year: 'ans?|années?',
      weekend: 'week-?end',
    },
    seasons: 'printemps été automne hiver',
    months: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
    weekdays: 'lundi mardi mercredi jeudi vendredi samedi dimanche',
    casual: "il_y_a hier demain aujourd'hui midi minuit",
    last: 'derni(?:er|ère)s?|passée?',
    this: 'ce(?:t|tte)?',
    next: 'prochaine?s?',
    signs: 'le la les et est nous vous je à de du un une que qui dans avons avez quoi il y où mes tes sont',
  },
  it: {
    units: {
      minute: 'minut[oi]',
      hour: 'or[ae]',
      day: 'giorn[oi]',
      week: 'settiman[ae]',
      month: 'mes[ei]',
      year: 'ann[oi]',
      weekend: 'fine settimana|week-?end',
    },
    seasons: 'primavera estate autunno inverno',
    months: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
    weekdays: 'lunedì martedì mercoledì giovedì venerdì sabato domenica',
    casual: 'ieri oggi domani mezzogiorno mezzanotte alle_\\d',
    last: 'scors[oaie]|passat[oaie]|ultim[oaie]',
    this: "quest[oa]|quest'",
    next: 'prossim[oaie]',
    signs:
      'il lo la gli e è che di un una non abbiamo con per cosa sono ho alle nel dove chi mia mie miei tua tue tuoi',
  },
  nl: {
    units: {
      minute: 'minu(?:ut|ten)',
      hour: 'u(?:ur|ren)',
      day: 'dag(?:en)?',
      week: 'we(?:ek|ken)',
      month: 'maand(?:en)?',
      year: 'ja(?:ar|ren)',
      weekend: 'weekend',
    },
    seasons: 'lente|voorjaar zomer herfst|najaar winter',
    months: 'januari februari maart april mei juni juli augustus september oktober november december',
    weekdays: 'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag',
    casual: 'geleden gisteren eergisteren vandaag morgen overmorgen middernacht uur',
    last: 'vorige?|afgelopen|laatste',
    this: 'deze|dit',
    next: 'volgende?|komende',
    signs: 'de het een en is ik wij van niet dat hebben heb wat wanneer op met om voor waar wie mijn jouw',
  },
  pt: {
    units: {
      minute: 'minutos?',
      hour: 'horas?',
      day: 'dias?',
      week: 'semanas?',
      month: 'm[eê]s(?:es)?',
      year: 'anos?',
      weekend: 'fi(?:m|ns) de semana',
    },
    seasons: 'primavera verão outono inverno',
    months: 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
    weekdays: 'segunda(?:-feira)? terça(?:-feira)? quarta(?:-feira)? quinta(?:-feira)? sexta(?:-feira)? sábado domingo',
    casual: 'atrás ontem anteontem hoje amanhã meio-dia meia-noite',
    last: 'passad[oa]s?|últim[oa]s?',
    this: 'est[ea]|ness?[ea]',
    next: 'próxim[oa]s?|que vem',
    signs:
      'o os e é que em um uma não nós com por da dos falamos foi na às ao você ele ela quando onde meu minha ' +
      'meus minhas',
  },
}

/** The items of a list in a vocabulary or a phrasebook. */
export const items = (list: string): string[] => list.split(' ').map((item) => item.replaceAll('_', ' '))

/** An expression that matches any of the sources, each a word or words of their own. */
export function word(...sources: string[]): string {
  return `(?<![\\p{L}\\p{N}])(?:${sources.join('|')})(?![\\p{L}\\p{N}])`
}
