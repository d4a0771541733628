/** A person who can be mentioned. */
export interface Person {
  id: number
  name: string
  /** Second line of the option: a department, or why the person cannot read the message. */
  hint?: string
  image?: string | null
}

/** A mention being typed: the position of its @, and the letters behind. */
export interface Typed {
  from: number
  words: string
}

/** Longer than any name. */
const LONGEST = 40

/** The mention at the caret. An @ after a letter belongs to an email address. */
export function mentionAt(text: string, caret: number): Typed | undefined {
  const from = text.lastIndexOf('@', caret - 1)
  if (from < 0 || caret - from > LONGEST) return undefined
  if (from > 0 && /[\p{L}\p{N}._@-]/u.test(text[from - 1] ?? '')) return undefined
  const words = text.slice(from + 1, caret)
  return /^[\p{L}\p{M}\p{N}.'’-]*( [\p{L}\p{M}\p{N}.'’-]*){0,2}$/u.test(words) ? { from, words } : undefined
}

/** Inserts the name for the typed letters; answers the text and the new caret. */
export function withMention(
  text: string,
  caret: number,
  { from }: Typed,
  name: string,
): { text: string; caret: number } {
  const before = `${text.slice(0, from)}@${name} `
  return { text: before + text.slice(caret).replace(/^ /, ''), caret: before.length }
}

/** The chosen people whose names are still in the text. */
export const mentionedIn = (text: string, people: readonly Person[]): number[] => [
  ...new Set(people.flatMap(({ id, name }) => (text.includes(`@${name}`) ? [id] : []))),
]

/** An unsent message. */
export interface Draft {
  text: string
  people: readonly Person[]
}
export const noDraft: Draft = { text: '', people: [] }

/** Parses a stored draft; invalid ones become an empty draft. */
export function readDraft(kept: string | undefined): Draft {
  if (!kept) return noDraft
  try {
    const found: unknown = JSON.parse(kept)
    if (typeof found !== 'object' || found === null || !('text' in found) || typeof found.text !== 'string')
      return noDraft
    const people = 'people' in found && Array.isArray(found.people) ? found.people.filter(isPerson) : []
    return { text: found.text, people }
  } catch {
    return noDraft // truncated, or written by another program
  }
}
const isPerson = (value: unknown): value is Person =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'number' &&
  'name' in value &&
  typeof value.name === 'string'

export const writtenDraft = ({ text, people }: Draft): string =>
  text ? JSON.stringify({ text, people: people.map(({ id, name }) => ({ id, name })) }) : ''
