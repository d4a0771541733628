/** RP5-001. Each answers what is wrong in plain words, or nothing. An empty value is only the business of `required`. */
export type Validator = (value: string) => string | undefined

const empty = (value: string) => value.trim() === ''
const check =
  (good: (value: string) => boolean, message: string): Validator =>
  (value) =>
    empty(value) || good(value) ? undefined : message

export const required: Validator = (value) => (empty(value) ? 'Required' : undefined)

export const email: Validator = check(
  (value) => /^[^\s@"(),:;<>[\\\]]+@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}$/.test(value.trim()),
  'An address such as name@example.org',
)

export const numeric: Validator = check((value) => /^-?\d+(?:\.\d+)?$/.test(value.trim()), 'A number')

/** At most `most`; what is no number is the business of `numeric`. */
export const max = (most: number): Validator => check((value) => !(Number(value) > most), `At most ${most}`)

/** At least `least`. */
export const min = (least: number): Validator => check((value) => !(Number(value) < least), `At least ${least}`)

/** The first thing that is wrong. */
export const all =
  (...validators: Validator[]): Validator =>
  (value) => {
    for (const validate of validators) {
      const wrong = validate(value)
      if (wrong) return wrong
    }
    return undefined
  }
