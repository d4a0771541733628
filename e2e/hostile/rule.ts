/**
 * The allowed values of each field, written independently of the contract: a difference between both reveals a mistake.
 * A rule answers the value as it should reach the server, or undefined if the value must be refused.
 */
export type Kind = 'domain' | 'account' | 'path' | 'version' | 'package' | 'whole' | 'word'
export interface Rule {
  kind: Kind
  read(value: unknown): string | undefined
}

export const lower = 'abcdefghijklmnopqrstuvwxyz'
export const digits = '0123456789'
export const only = (text: string, allowed: string) => text.length > 0 && [...text].every((c) => allowed.includes(c))
export const rule = (kind: Kind, read: (text: string) => string | undefined): Rule => ({
  kind,
  read: (value) => (typeof value === 'string' ? read(value) : undefined),
})

/** A boolean. */
export const flag: Rule = { kind: 'word', read: (value) => (typeof value === 'boolean' ? `${value}` : undefined) }

/** A value that may be null. */
export const orNull = ({ kind, read }: Rule): Rule => ({
  kind,
  read: (value) => (value === null ? 'null' : read(value)),
})

export const word = (...words: string[]): Rule => rule('word', (text) => (words.includes(text) ? text : undefined))

/** An IP address as a URL accepts it: digits and dots, or IPv6 in brackets. */
export const ip = rule('word', (text) => {
  const host = text.includes(':') ? `[${text}]` : text
  return only(text, `${digits}abcdefABCDEF:.`) &&
    URL.canParse(`http://${host}/`) &&
    (host !== text || text.split('.').length === 4)
    ? text
    : undefined
})
