import { ScimError } from './errors.ts'

export interface Filter {
  /** Attribute in lower case. */
  attribute: string
  value: string | boolean
}

const LONGEST = 500
/** `userName eq "anna"`. Only equality: identity providers look people up by one value. */
const equality = /^\s*([A-Za-z][\w:.$-]{0,120})\s+eq\s+(?:"((?:[^"\\]|\\["\\/])*)"|(true|false))\s*$/i

/** Reads a filter; 400 for any other than `attribute eq value`. */
export function readFilter(text: string): Filter {
  const [, attribute, quoted, word] = text.length <= LONGEST ? (equality.exec(text) ?? []) : []
  if (!attribute) throw new ScimError(400, 'Only filters such as userName eq "anna" are supported', 'invalidFilter')
  return {
    attribute: plain(attribute),
    value: word === undefined ? (quoted ?? '').replace(/\\(["\\/])/g, '$1') : word.toLowerCase() === 'true',
  }
}

/** The name of an attribute in lower case, without the schema in front. */
export const plain = (attribute: string): string =>
  attribute.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i, '').toLowerCase()
