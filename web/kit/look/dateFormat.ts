import { localeTag } from './locale.ts'

/**
 * Writes dates in the words of this product and in the person's way of writing, or in a given one. The only place that makes a
 * formatter of dates for people: they are slow to make, and each month has the same three letters everywhere, which `Sept` of
 * British English has not.
 */
export function dateFormat(options: Intl.DateTimeFormatOptions, timeZone = 'UTC', fixed?: string) {
  const made = new Map<string, Intl.DateTimeFormat>()
  const format = () => {
    const tag = fixed ?? localeTag()
    const known = made.get(tag) ?? new Intl.DateTimeFormat(tag, { ...options, timeZone })
    made.set(tag, known)
    return known
  }
  return {
    one: (when: Date | number): string => threeLetters(format().format(when)),
    range: (from: Date | number, to: Date | number): string => threeLetters(format().formatRange(from, to)),
  }
}

const threeLetters = (text: string): string => text.replaceAll(/\bSept\b/g, 'Sep')
