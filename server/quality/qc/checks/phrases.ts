import type { CheckSettings } from '@innkeeper/contract/quality/qc/checks'
import { RE2JS } from 're2js'
import { type Heard, type Judgement, judged, messagesOf, none, type Place, type Said, without } from './speech.ts'

/** Maximum number of instructions of a compiled pattern: the time of a character grows with them. */
const MOST_INSTRUCTIONS = 500

/** Why a pattern cannot be used; null if it can. */
export function patternProblem(pattern: string): string | null {
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)
    if (compiled.programSize() > MOST_INSTRUCTIONS) return `${pattern} is too large: shorten its repetitions`
    return compiled.matcher('').find() ? `${pattern} matches a text without words` : null
  } catch (error) {
    return `${pattern} cannot be read: ${error instanceof Error ? error.message : 'not a pattern of RE2'}`
  }
}

/** Finds the first place of a text with one of the phrases. */
type Finder = (text: string) => [number, number] | null

const isWordPart = /[\p{L}\p{M}\p{N}_]/u
/** Folds case without changing the length, so that places fit the text. */
const folded = (text: string): string => {
  const lower = text.toLowerCase()
  return lower.length === text.length
    ? lower
    : [...text].map((c) => (c.toLowerCase().length === c.length ? c.toLowerCase() : c)).join('')
}
const foldedBefore = new WeakMap<Said, string>()
/** The folded text of a message, which every rule with phrases reads. */
function foldedOf(said: Said): string {
  const text = foldedBefore.get(said) ?? folded(said.body)
  foldedBefore.set(said, text)
  return text
}

function phraseFinder(phrase: string): Finder {
  const wanted = folded(phrase)
  const [first, last] = [wanted[0] ?? '', wanted.at(-1) ?? '']
  const beginsWord = isWordPart.test(first)
  const endsWord = isWordPart.test(last)
  return (text) => {
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
      const end = at + wanted.length
      const isWhole =
        !(beginsWord && isWordPart.test(text[at - 1] ?? '')) && !(endsWord && isWordPart.test(text[end] ?? ''))
      if (isWhole) return [at, end]
    }
    return null
  }
}

/** Compiled patterns: rules are read again for each batch. */
const compiledBefore = new Map<string, RE2JS>()
const MOST_COMPILED = 1000

function compile(pattern: string): RE2JS {
  const compiled = compiledBefore.get(pattern) ?? RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)
  if (compiledBefore.size >= MOST_COMPILED) compiledBefore.clear()
  compiledBefore.set(pattern, compiled)
  return compiled
}

function patternFinder(pattern: string): Finder {
  const compiled = compile(pattern)
  return (text) => {
    const found = compiled.matcher(text)
    return found.find() ? [found.start(), found.end()] : null
  }
}

type Phrases = Pick<CheckSettings, 'words' | 'patterns' | 'who'>
const finders = new WeakMap<Phrases, readonly Finder[]>()

function findersOf(rule: Phrases): readonly Finder[] {
  const known = finders.get(rule) ?? [...rule.words.map(phraseFinder), ...rule.patterns.map(patternFinder)]
  finders.set(rule, known)
  return known
}

function find(rule: Phrases, said: Said): Place | undefined {
  const { id } = said
  const text = foldedOf(said)
  for (const finder of findersOf(rule)) {
    const found = finder(text)
    if (found) return { messageId: id, from: found[0], to: found[1] }
  }
  return undefined
}

/** Whether a message, the first or the last of an agent, has one of the phrases. */
export function phraseIn(rule: Phrases, heard: Heard, at: 0 | -1): Judgement {
  const said = messagesOf(heard, 'agent').at(at)
  if (!said) return none
  return judged(find(rule, said) !== undefined, { places: [{ messageId: said.id, from: 0, to: said.body.length }] })
}

/** Whether any message has one of the phrases. */
export function wanted(rule: Phrases, heard: Heard): Judgement {
  const said = messagesOf(heard, rule.who)
  return said.length ? judged(said.some((one) => find(rule, one))) : none
}

/** Whether no message has one of the phrases. */
export function forbidden(rule: Phrases, heard: Heard): Judgement {
  const said = messagesOf(heard, rule.who)
  return said.length ? without(said.flatMap((one) => find(rule, one) ?? [])) : none
}

/** Who closed: the role of the last event with one of the phrases. */
export function closedBy(rule: Phrases & Pick<CheckSettings, 'closers'>, { said }: Heard): Judgement {
  const closing = said.findLast((one) => one.kind === 'event' && find(rule, { ...one, body: one.body.slice(0, 2000) }))
  if (!closing) return none
  return judged(rule.closers.includes(closing.role), {
    note: closing.role,
    places: [{ messageId: closing.id, from: 0, to: Math.min(closing.body.length, 2000) }],
  })
}
