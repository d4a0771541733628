import { formTexts } from './texts.ts'
/** RP5-001. Each validator returns an error message, or undefined. Only `required` rejects an empty value. */
export type Validator = (value: string) => string | undefined

const empty = (value: string) => value.trim() === ''
const check =
  (good: (value: string) => boolean, message: string): Validator =>
  (value) =>
    empty(value) || good(value) ? undefined : message

export const required: Validator = (value) => (empty(value) ? formTexts().required : undefined)

export const email: Validator = check(
  (value) => /^[^\s@"(),:;<>[\\\]]+@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}$/.test(value.trim()),
  'An address such as name@example.org',
)

export const numeric: Validator = check((value) => /^-?\d+(?:\.\d+)?$/.test(value.trim()), 'A number')

/** At most `most`. Text that is no number is left to `numeric`. */
export const max = (most: number): Validator => check((value) => !(Number(value) > most), `At most ${most}`)

export const min = (least: number): Validator => check((value) => !(Number(value) < least), `At least ${least}`)

/** The first error of several validators. */
export const all =
  (...validators: Validator[]): Validator =>
  (value) => {
    for (const validate of validators) {
      const wrong = validate(value)
      if (wrong) return wrong
    }
    return undefined
  }
