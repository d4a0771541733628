import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from './errors.ts'

type Done = (error: Error | null, body?: unknown) => void

/** Reads JSON bodies: an empty one is none; a deep one, and one in another encoding, is refused before it is parsed. */
export function jsonParser(server: FastifyInstance) {
  const parse = server.getDefaultJsonParser('error', 'error')
  return (request: FastifyRequest, body: Buffer, done: Done): void | Promise<unknown> => {
    const text = body.toString()
    if (!body.length) return done(null, undefined)
    // other bytes would be read as \uFFFD and lost without a word
    if (!isUtf8(body)) return done(notUtf8())
    return isTooDeep(text) ? done(tooDeep()) : parse(request, text, done)
  }
}

/** Values within each other in a JSON body. No call has more than ten. */
const DEEPEST = 64
const tooDeep = () => new Refusal(400, { code: 'invalid', message: `More than ${DEEPEST} values within each other` })

const notUtf8 = () =>
  new Refusal(400, { code: 'invalid', message: 'The request is not in UTF-8: its letters would become other ones' })

/** Whether JSON has values within each other that cost the parser seconds. Reads the text once. */
function isTooDeep(json: string): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const sign = json.charCodeAt(at)
    if (sign === QUOTE) at = endOfText(json, at)
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) depth++
    else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) depth--
    if (depth > DEEPEST) return true
  }
  return false
}
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 91, 93, 123, 125]

/** The place of the quote that ends a text; the end of the JSON if none does. */
function endOfText(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at++) {
    const sign = json.charCodeAt(at)
    if (sign === BACKSLASH) at++
    else if (sign === QUOTE) return at
  }
  return json.length
}
