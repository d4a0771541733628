/**
 * Writes dates in the words of this product. The only place that makes a formatter of dates for people: they are slow
 * to make, and each month has the same three letters everywhere, which `Sept` of British English has not.
 */
export function dateFormat(options: Intl.DateTimeFormatOptions, timeZone = 'UTC') {
  const format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone })
  return {
    one: (when: Date | number): string => threeLetters(format.format(when)),
    range: (from: Date | number, to: Date | number): string => threeLetters(format.formatRange(from, to)),
  }
}

const threeLetters = (text: string): string => text.replaceAll(/\bSept\b/g, 'Sep')
