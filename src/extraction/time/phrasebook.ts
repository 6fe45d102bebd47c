import type { Unit } from './interval.js'

/** The languages in which times are read. */
export type Language = 'en' | 'de' | 'es' | 'fr' | 'it' | 'nl' | 'pt'

/**
 * How a language speaks of times around the present. All strings are sources of regular expressions without capturing
 * groups.
 */
export interface Phrasebook {
  readonly units: Readonly<Record<Unit | 'weekend', string>>
  readonly last: string
  readonly this: string
  readonly next: string
  /** `N` stands for a number of units: "N ago". */
  readonly ago: string
  readonly hence: string
  /** One to twelve. */
  readonly numbers: string
  /** Spring, summer, autumn, winter. */
  readonly seasons: string
  /** January first. */
  readonly months: string
  /** Monday first. */
  readonly weekdays: string
  /** What stands between a season and its year. */
  readonly of: string
  /** What stands before a bare year. */
  readonly in: string
  /** What stands before a bare month. */
  readonly inMonth: string
  /** Further words without which nothing names a time: yesterday, noon … */
  readonly casual: string
  /** Words of the language that others do not have, by which it is known. */
  readonly signs: string
}

/** The books, by language. Lists are separated by spaces; a `_` stands for a space inside an item. */
export const PHRASEBOOKS: Readonly<Record<Language, Phrasebook>> = {
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
    last: 'last|past|previous',
    this: 'this',
    next: 'next|coming|upcoming',
    ago: 'N ago',
    hence: 'in N|N from now',
    numbers: 'one|an? two three four five six seven eight nine ten eleven twelve',
    seasons: 'spring summer autumn|fall winter',
    months:
      'january|jan february|feb march april|apr may june july august|aug september|sept? october|oct ' +
      'november|nov december|dec',
    weekdays: 'monday tuesday wednesday thursday friday saturday sunday',
    of: 'of',
    in: 'in|since|until|till|during|before|after|from|year',
    inMonth: 'in|since|until|till|by|during|before|after|from|early|late|mid|around',
    casual: "yesterday today tonight tomorrow tmrw? ago noon midday midnight o'clock weekday",
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
    last: 'letzte[nrms]?|vergangene[nrms]?|vorige[nrms]?',
    this: 'diese[nrms]?',
    next: 'nächste[nrms]?|kommende[nrms]?',
    ago: 'vor N',
    hence: 'in N',
    numbers: 'eine[mnr]?|ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
    seasons: 'frühling|frühjahr sommer herbst winter',
    months: 'januar|jänner februar märz april mai juni juli august september oktober november dezember',
    weekdays: 'montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag',
    of: 'von',
    in: '(?:im|das|dem) jahre?|seit|bis|anno',
    inMonth: 'im|seit|bis|vor|nach|ab|anfang|mitte|ende',
    casual: 'gestern vorgestern heute morgen übermorgen minuten uhr mittag mitternacht',
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
    last: 'pasad[oa]s?|últim[oa]s?',
    this: 'est[ea]',
    next: 'próxim[oa]s?|que viene',
    ago: 'hace N',
    hence: 'dentro de N|en N',
    numbers: 'una?|uno dos tres cuatro cinco seis siete ocho nueve diez once doce',
    seasons: 'primavera verano otoño invierno',
    months: 'enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre',
    weekdays: 'lunes martes miércoles jueves viernes sábado domingo',
    of: 'de|del',
    in: 'en|desde|hasta|año',
    inMonth: 'en|desde|hasta|antes de|después de',
    casual: 'ayer anteayer hace hoy mañana mediodía medianoche las_\\d',
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
    last: 'derni(?:er|ère)s?|passée?',
    this: 'ce(?:t|tte)?',
    next: 'prochaine?s?',
    ago: 'il y a N',
    hence: 'dans N',
    numbers: 'une? deux trois quatre cinq six sept huit neuf dix onze douze',
    seasons: 'printemps été automne hiver',
    months: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
    weekdays: 'lundi mardi mercredi jeudi vendredi samedi dimanche',
    of: 'de',
    in: 'en|depuis|année',
    inMonth: "en|depuis|avant|après|jusqu'en",
    casual: "il_y_a hier demain aujourd'hui midi minuit",
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
    last: 'scors[oaie]|passat[oaie]|ultim[oaie]',
    this: "quest[oa]|quest'",
    next: 'prossim[oaie]',
    ago: 'N fa',
    hence: 'tra N|fra N',
    numbers: "un[oa]?|un' due tre quattro cinque sei sette otto nove dieci undici dodici",
    seasons: 'primavera estate autunno inverno',
    months: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
    weekdays: 'lunedì martedì mercoledì giovedì venerdì sabato domenica',
    of: 'del',
    in: 'nel|dal|fino al|anno',
    inMonth: 'a|in|da|fino a|prima di|dopo',
    casual: 'ieri oggi domani mezzogiorno mezzanotte alle_\\d',
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
    last: 'vorige?|afgelopen|laatste',
    this: 'deze|dit',
    next: 'volgende?|komende',
    ago: 'N geleden',
    hence: 'over N',
    numbers: 'een|één twee drie vier vijf zes zeven acht negen tien elf twaalf',
    seasons: 'lente|voorjaar zomer herfst|najaar winter',
    months: 'januari februari maart april mei juni juli augustus september oktober november december',
    weekdays: 'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag',
    of: 'van',
    in: 'sinds|tot|jaar',
    inMonth: 'in|sinds|tot|voor|na',
    casual: 'geleden gisteren eergisteren vandaag morgen overmorgen middernacht uur',
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
    last: 'passad[oa]s?|últim[oa]s?',
    this: 'est[ea]|ness?[ea]',
    next: 'próxim[oa]s?|que vem',
    ago: 'há N|N atrás|faz N',
    hence: 'daqui a N|dentro de N',
    numbers: 'uma?|um dois|duas três quatro cinco seis sete oito nove dez onze doze',
    seasons: 'primavera verão outono inverno',
    months: 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
    weekdays: 'segunda(?:-feira)? terça(?:-feira)? quarta(?:-feira)? quinta(?:-feira)? sexta(?:-feira)? sábado domingo',
    of: 'de|do',
    in: 'em|desde|até|ano',
    inMonth: 'em|desde|até|antes de|depois de',
    casual: 'atrás ontem anteontem hoje amanhã meio-dia meia-noite',
    signs:
      'o os e é que em um uma não nós com por da dos falamos foi na às ao você ele ela quando onde meu minha ' +
      'meus minhas',
  },
}

/** The items of a list in a phrasebook. */
export const items = (list: string): string[] => list.split(' ').map((item) => item.replaceAll('_', ' '))

/** An expression that matches any of the sources, each a word or words of their own. */
export function word(...sources: string[]): string {
  return `(?<![\\p{L}\\p{N}])(?:${sources.join('|')})(?![\\p{L}\\p{N}])`
}
