import * as z from 'zod'

const kinds: Record<string, string> = {
  ...{ number: 'A number', int: 'A whole number', string: 'A text', boolean: 'true or false' },
  ...{ array: 'A list', object: 'An object', record: 'An object' },
}
const isMissing = (input: unknown) => input === undefined || input === null || Number.isNaN(input)

/** A limit with its unit: `8 characters`, `1 entry`, or the number alone. */
function limited(origin: string, limit: number | bigint): string {
  if (origin === 'string') return `${limit} ${Number(limit) === 1 ? 'character' : 'characters'}`
  if (origin === 'array' || origin === 'set') return `${limit} ${Number(limit) === 1 ? 'entry' : 'entries'}`
  return String(limit)
}

/** The message beside a field whose schema has none of its own; undefined leaves the words to Zod. */
function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return isMissing(issue.input) ? 'Required' : kinds[issue.expected]
    case 'invalid_value':
      return isMissing(issue.input) ? 'Required' : `One of: ${issue.values.map(String).join(', ')}`
    case 'too_small':
      if (issue.origin === 'string' && Number(issue.minimum) === 1) return 'Required'
      return `${issue.inclusive === false ? 'More than' : 'At least'} ${limited(issue.origin, issue.minimum)}`
    case 'too_big':
      return `${issue.inclusive === false ? 'Less than' : 'At most'} ${limited(issue.origin, issue.maximum)}`
    case 'invalid_union':
      return isMissing(issue.input) ? 'Required' : ofUnion(issue.errors)
    default:
      return undefined
  }
}

/** What a value of several forms may be: "A number, or a text"; of a value that has one of the forms, what is wrong with it. */
function ofUnion(forms: readonly (readonly z.core.$ZodIssue[])[]): string | undefined {
  const isOther = ([first]: readonly z.core.$ZodIssue[]) => first?.code === 'invalid_type' && !first.path.length
  const meant = forms.filter((issues) => !isOther(issues))
  const words = new Set((meant.length ? meant : forms).flatMap(([first]) => (first ? [first.message] : [])))
  if (!words.size) return undefined
  return [...words].map((one, n) => (n ? one.charAt(0).toLowerCase() + one.slice(1) : one)).join(', or ')
}

z.config({ customError: messageOf })
