import { fold } from '../../encoding/tokens.js'
import type { Speakers } from '../../indexes/speakers.js'
import type { Language } from '../../extraction/time/vocabulary.js'
import { languageOf } from '../../extraction/time/language.js'

type Words = ReadonlySet<string>
const words = (list: string): Words => new Set(list.split(' '))

/**
 * Who speaks and who is spoken to, by language, since what is "I" in one is "and" or "the" in another; accents folded.
 * Left out: the plural, since "we" names no known persons, and forms that mean others as well (Sie, su, lei).
 */
const PERSONS: Readonly<Record<Language, { readonly first: Words; readonly second: Words }>> = {
  en: { first: words('i me my mine myself'), second: words('you your yours yourself') },
  de: {
    first: words('ich mich mir mein meine meinen meinem meiner meines'),
    second: words('du dich dir dein deine deinen deinem deiner deines'),
  },
  es: { first: words('yo me mi mis mio mia conmigo'), second: words('tu te ti tus tuyo tuya contigo usted') },
  fr: { first: words('je j moi me m mon ma mes'), second: words('tu te t toi ton ta tes vous votre vos') },
  it: { first: words('io mi me mio mia miei mie'), second: words('tu ti te tuo tua tuoi tue') },
  nl: { first: words('ik mij me mijn'), second: words('jij je jou jouw u uw') },
  pt: { first: words('eu me mim meu minha meus minhas comigo'), second: words('tu te ti teu tua voce contigo') },
}

/** Speakers who stand for the one who asks, and for the one who is asked, where nothing else says who they are. */
const ASKERS = words('user human me')
const ASKED = words('assistant ai bot')

/**
 * The speakers whom a cue means by "I" and "you".
 *
 * @param asker the speaker who asks; absent: one of a name that says so.
 */
export function pronounced(speakers: Speakers, cue: string, asker: string | undefined): Set<string> {
  const { first, second } = PERSONS[languageOf(cue)]
  const said = fold(cue).match(/\p{L}+/gu) ?? []
  const saysI = said.some((word) => first.has(word))
  const saysYou = said.some((word) => second.has(word))
  const names = [...(saysI ? (asker === undefined ? ASKERS : [asker]) : []), ...(saysYou ? ASKED : [])]
  return new Set(names.flatMap((name) => [...speakers.called(name)]))
}
