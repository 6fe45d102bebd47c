import type { ExtractionContext } from '../../api/extractor.js'
import type { Gender } from './words.js'

/** Whom or what a text has named. */
export interface Mention {
  readonly name: string
  /** `undefined`: no person. */
  readonly gender: Gender | undefined
  readonly plural: boolean
  /** Without article and owner, and no name: "coffee". A pronoun hardly means it. */
  readonly bare: boolean
  /** The sentence in which it stands; those of earlier turns are negative. */
  readonly unit: number
}

const NEAR = 3

/** What has been named so far, and whom a pronoun means. */
export class References {
  private readonly mentions: Mention[] = []
  private unit = 0
  private earlier: readonly Mention[] | undefined

  /**
   * @param before reads the mentions of earlier turns, when they are first needed
   */
  constructor(
    private readonly context: ExtractionContext,
    private readonly before: () => readonly Mention[],
  ) {}

  sentence(unit: number): void {
    this.unit = unit
  }

  add(mention: Omit<Mention, 'unit'>): void {
    this.mentions.push({ ...mention, unit: this.unit })
  }

  /** The speaker; `undefined` where it is not known. */
  get speaker(): string | undefined {
    return this.context.speaker
  }

  /** Whom "you" means: the other one, where there is just one. */
  get other(): string | undefined {
    return this.context.others?.length === 1 ? this.context.others[0] : undefined
  }

  /**
   * Whom a pronoun of the third person means, where that is clear. "His" and "its" mean the subject of their clause
   * where they can; "him" and "it" never do.
   */
  resolve(pronoun: string, subject?: string): string | undefined {
    if (!Object.hasOwn(FITS, pronoun)) return undefined
    const owner = OWNERS.has(pronoun)
    if (owner && this.mentions.some((one) => one.name === subject && FITS[pronoun](one))) return subject
    const fits = (mention: Mention) => FITS[pronoun](mention) && mention.name !== subject
    return this.only(this.mentions, fits, pronoun) ?? this.onlyEarlier(fits, pronoun)
  }

  private onlyEarlier(fits: (mention: Mention) => boolean, pronoun: string): string | undefined {
    if (this.mentions.some((mention) => this.isCandidate(mention) && fits(mention))) return undefined
    this.earlier ??= this.before()
    return this.only(this.earlier, fits, pronoun)
  }

  private only(mentions: readonly Mention[], fits: (mention: Mention) => boolean, pronoun: string): string | undefined {
    const candidates = mentions.filter((mention) => this.isCandidate(mention) && fits(mention))
    const nearest = candidates.at(-1)
    if (nearest === undefined || this.unit - nearest.unit > (/^(?:it|its|the.+)$/.test(pronoun) ? 1 : NEAR))
      return undefined
    const names = new Set(candidates.filter(({ unit }) => unit === nearest.unit).map(({ name }) => name))
    return names.size === 1 && !nearest.bare ? nearest.name : undefined
  }

  private isCandidate({ name }: Mention): boolean {
    return name !== this.context.speaker && !(this.context.others?.includes(name) ?? false)
  }
}

const OWNERS = new Set(['his', 'her', 'its', 'their'])
const he = ({ gender, plural }: Mention) => !plural && (gender === 'male' || gender === 'person')
const she = ({ gender, plural }: Mention) => !plural && (gender === 'female' || gender === 'person')
const it = ({ gender, plural }: Mention) => !plural && gender === undefined
const they = ({ plural, gender }: Mention) => plural && gender !== undefined
const them = ({ plural }: Mention) => plural
const FITS: Readonly<Record<string, (mention: Mention) => boolean>> = {
  he,
  him: he,
  his: he,
  she,
  her: she,
  it,
  its: it,
  they,
  them,
  their: they,
}
