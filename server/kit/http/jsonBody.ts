import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from './errors.ts'

type Done = (error: Error | null, body?: unknown) => void

/**
 * Reads JSON bodies: an empty one is none; a deep one, one whose objects have thousands of fields, and one in another
 * encoding are refused before they are parsed.
 */
export function jsonParser(server: FastifyInstance) {
  const parse = server.getDefaultJsonParser('error', 'error')
  return (request: FastifyRequest, body: Buffer, done: Done): void | Promise<unknown> => {
    const text = body.toString()
    if (!body.length) return done(null, undefined)
    // other bytes would be read as \uFFFD and lost without a word
    if (!isUtf8(body)) return done(notUtf8())
    const why = tooMuch(text)
    return why ? done(why) : parse(request, text, done)
  }
}

/** Values within each other in a JSON body. No call has more than ten. */
const DEEPEST = 64
const tooDeep = () => new Refusal(400, { code: 'invalid', message: `More than ${DEEPEST} values within each other` })

/** Fields of one object in a JSON body. Objects with freely named fields have tens; reading a million took seconds. */
const MOST_FIELDS = 5000
const tooMany = () => new Refusal(400, { code: 'invalid', message: `More than ${MOST_FIELDS} fields in one object` })

const notUtf8 = () =>
  new Refusal(400, { code: 'invalid', message: 'The request is not in UTF-8: its letters would become other ones' })

/** The refusal of JSON whose objects and lists cost the parser, or who reads it later, seconds. Reads the text once. */
function tooMuch(json: string): Refusal | undefined {
  const fields = new Uint32Array(DEEPEST + 1) // of the object or list that is open at this depth
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const sign = json.charCodeAt(at)
    if (sign === QUOTE) at = endOfText(json, at)
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) {
      if (++depth > DEEPEST) return tooDeep()
      fields[depth] = 0
    } else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) depth = Math.max(0, depth - 1)
    else if (sign === COLON) {
      const here = (fields[depth] ?? 0) + 1
      if (here > MOST_FIELDS) return tooMany()
      fields[depth] = here
    }
  }
  return undefined
}
const [QUOTE, COLON, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 58, 92, 91, 93, 123, 125]

/** The place of the quote that ends a text; the end of the JSON if none does. */
function endOfText(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at++) {
    const sign = json.charCodeAt(at)
    if (sign === BACKSLASH) at++
    else if (sign === QUOTE) return at
  }
  return json.length
}
