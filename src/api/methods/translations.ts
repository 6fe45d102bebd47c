import type { BeliefId } from '../belief.js'
import type { EpisodeId, Triple } from '../episode.js'
import type {
  Analogous,
  AnalogyOptions,
  BeliefToEncode,
  FoundBeliefContent,
  FoundEpisodeContent,
  FoundTriple,
  Signature,
  SignatureToTriplesOptions,
} from '../neurosymbolic.js'
import type { Modality } from '../sensory.js'
import type { Registration } from './method.js'

/** The methods that translate between statements and signatures. They read the memory and change nothing. */
export interface TranslationMethods {
  /**
   * The signature of one statement or of several together: 1,024 bytes, the same in every memory. The order of the
   * statements does not matter.
   *
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for no statement or an incomplete one, `AGIDB_TOO_LARGE` for more than
   * `limits.triples`.
   */
  tripleToSignature(triples: Triple | readonly Triple[]): Promise<Signature>
  /**
   * The statements in a signature, of the concepts and predicates that this memory knows, best first. An empty list
   * where none stands out from chance by 8 standard deviations: the signature is noise, has names that the memory does
   * not know, or has too many statements to tell them apart.
   *
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for anything but 1,024 bytes.
   */
  signatureToTriples(signature: Signature, options?: SignatureToTriplesOptions): Promise<FoundTriple[]>
  /**
   * The signature of what a cue says of a statement: of the concepts and predicates that it names and the memory knows,
   * under every role that they may have. It is what recall compares with the statements of episodes. `undefined` where
   * the cue names no known concept.
   *
   * @throws AgidbError `AGIDB_INVALID_TEXT`, `AGIDB_TOO_LARGE`.
   */
  cueToPartialSignature(cue: string): Promise<Signature | undefined>
  /**
   * The signature of a belief: of its statement or, without one, of its claim, with the confidence under a role of its
   * own, in steps of 0.05.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND` for an id that nothing has, `AGIDB_INVALID_ARGUMENT` for something that has
   * neither a claim nor a statement.
   */
  beliefToSignature(belief: BeliefToEncode | BeliefId): Promise<Signature>
  /**
   * The statement or the claim, and the confidence, in the signature of a belief. A claim is found among the beliefs
   * that are held. `undefined` where no confidence stands out, or neither a statement nor a claim.
   *
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for anything but 1,024 bytes.
   */
  signatureToBelief(signature: Signature): Promise<FoundBeliefContent | undefined>
  /**
   * What a signature that bundles several modalities has under the role of one: the signature of the modality with the
   * noise of the others. It is unrelated to every signature where the modality is not there.
   *
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for anything but 1,024 bytes, or a modality that there is not.
   */
  signatureToModality(signature: Signature, modality: Modality): Promise<Signature>
  /**
   * What an episode has of a modality, unbound from the bundle of all that it has under their roles. For `text`: the
   * signature of its text, with the noise of the other parts if it has any. For a picture or a sound: that of the
   * memory's signatures which is nearest to what was unbound. `undefined` for a modality that the episode does not
   * have, or that was made by another encoder than the memory has now.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND` for an id that nothing has, `AGIDB_INVALID_ARGUMENT` for a modality that there
   * is not.
   */
  extractModalitySignature(id: EpisodeId, modality: Modality): Promise<Signature | undefined>
  /**
   * The signature of all that an episode has, each part under its role: its statements, its text, what was perceived
   * with it, its goal, its beliefs, and the day in UTC on which it happened. Each part can be read back:
   * `signatureToEpisode`, `signatureToTriples`, `signatureToModality`. Goals, beliefs and days have a signature by
   * their ids and dates, so it is the same in every memory that has the episode.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND` for an id that nothing has.
   */
  episodeToSignature(id: EpisodeId): Promise<Signature>
  /**
   * The statements, the goal, the beliefs and the day in the signature of an episode, or of something like one, as far
   * as this memory knows them. A part is absent where none stands out from chance: by 8 standard deviations for a
   * statement, by 5 for the others.
   *
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for anything but 1,024 bytes.
   */
  signatureToEpisode(signature: Signature): Promise<FoundEpisodeContent>
  /**
   * Answers "a is to b as c is to ?" by the statements that are true now: the concepts that stand to `c` as `b` stands
   * to `a`, best first. An empty list where no statement has both `a` and `b`, or nothing stands to `c` alike.
   *
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_TOO_LARGE`.
   */
  analogy(a: string, b: string, c: string, options?: AnalogyOptions): Promise<Analogous[]>
}

export const translationMethods: Registration<TranslationMethods> = {
  tripleToSignature: { effect: 'reads' },
  signatureToTriples: { effect: 'reads' },
  cueToPartialSignature: { effect: 'reads' },
  beliefToSignature: { effect: 'reads' },
  signatureToBelief: { effect: 'reads' },
  signatureToModality: { effect: 'reads' },
  extractModalitySignature: { effect: 'reads' },
  episodeToSignature: { effect: 'reads' },
  signatureToEpisode: { effect: 'reads' },
  analogy: { effect: 'reads' },
}
