/**
 * English function words, and the parts of their contractions around an apostrophe. They carry grammar, not content;
 * words of other languages are weighted by idf alone.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all am an and any are aren arent as at be because been before being below between
  both but by can cannot cant could couldn couldnt d did didn didnt do does doesn doesnt doing don dont down during
  each few for from further had hadn hadnt has hasn hasnt have haven havent having he hed hell her here heres hers
  herself hes him himself his how hows i id if ill im in into is isn isnt it its itself ive just ll m me more most
  mustn my myself no nor not now o of off on once only or other ought our ours ourselves out over own re s same shan
  she shed shell shes should shouldn so some such t than that thats the their theirs them themselves then there
  theres these they theyd theyll theyre theyve this those through to too under until up ve very was wasn wasnt we
  wed well were weren werent weve what whats when whens where wheres which while who whom whos why whys will with
  won wont would wouldn wouldnt y you youd youll your youre yours yourself yourselves youve`.split(/\s+/),
)
