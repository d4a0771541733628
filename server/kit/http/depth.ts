import { Refusal } from './errors.ts'

/** Values within each other in a JSON body. No call has more than ten. */
const DEEPEST = 64
export const tooDeep = () =>
  new Refusal(400, { code: 'invalid', message: `More than ${DEEPEST} values within each other` })

/** Whether JSON has values within each other that cost the parser seconds. Reads the text once. */
export function isTooDeep(json: string): boolean {
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
