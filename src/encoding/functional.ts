/**
 * Predicates that have one object at a time for each subject, so that another object contradicts. In any inflection:
 * "lives in" covers "lived in" and "is living in". Left out is what people have several of (mother of, likes, plays) and what
 * nests (located in: a place in Bandra is in Mumbai, too).
 */
export const FUNCTIONAL_PREDICATES: readonly string[] = [
  'lives in', 'lives at', 'resides in', 'resides at', 'home is', 'hometown', 'address', 'home address', 'based in',
  'works at', 'works for', 'works as', 'employed by', 'employer', 'job', 'job is', 'job title', 'occupation', 'profession', 'role', 'position',
  'married to', 'engaged to', 'spouse', 'husband', 'wife', 'partner', 'marital status', 'relationship status',
  'born in', 'born on', 'born at', 'birthday', 'birthday is', 'birth date', 'date of birth', 'birthplace', 'place of birth', 'birth year',
  'died in', 'died on', 'date of death', 'buried in',
  'name', 'name is', 'full name', 'first name', 'last name', 'surname', 'maiden name',
  'age', 'age is', 'height', 'weight', 'gender', 'nationality', 'blood type', 'eye color', 'eye colour', 'hair color', 'hair colour',
  'mother', 'mother is', 'father', 'father is',
  'favorite color', 'favourite colour', 'favorite food', 'favourite food', 'favorite dish', 'favourite dish', 'favorite book', 'favourite book',
  'favorite movie', 'favourite film', 'favorite song', 'favourite song', 'favorite band', 'favourite band', 'favorite restaurant', 'favourite restaurant',
  'capital', 'capital is', 'capital of', 'currency', 'population', 'headquartered in', 'founded in', 'founded on',
  'status', 'status is', 'price', 'price is', 'costs', 'deadline', 'deadline is', 'due on', 'starts on', 'starts at', 'ends on', 'ends at', 'scheduled for',
  'phone', 'phone number', 'email', 'email address', 'version',
]
