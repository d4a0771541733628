/** Placeholders of templates, `{{name}}`. The screen and the server use the same functions. */

const written = /\{\{([^{}]*)\}\}/g

/** Placeholders whose values come from the recipient. */
export const ofRecipient = ['firstName', 'lastName', 'name'] as const

/** The names in a text in order, without duplicates. */
export const namesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(written)].map((m) => (m[1] ?? '').trim())),
]

/** The text with these values. A placeholder without a value stays as written. */
export const fillIn = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(written, (whole, inner: string) => {
    const name = inner.trim()
    return Object.hasOwn(values, name) ? (values[name] ?? whole) : whole
  })

/** The first mismatch between a text and its declared placeholders; undefined if there is none. */
export function misfit(text: string, declared: readonly string[]): string | undefined {
  const used = namesIn(text)
  const wrong = used.find((name) => !/^[a-zA-Z][a-zA-Z0-9]{0,39}$/.test(name))
  if (wrong !== undefined) return `{{${wrong}}} is no placeholder: letters and digits, a letter first`
  const unknown = used.find((name) => !declared.includes(name) && !ofRecipient.some((own) => own === name))
  if (unknown !== undefined) return `{{${unknown}}} is used and not declared`
  const unused = declared.find((name) => !used.includes(name))
  return unused === undefined ? undefined : `${unused} is declared and not used`
}

/** Replaces unprintable characters, because gateways must not get control characters; line breaks stay. */
export const tidy = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(/[^\P{Cc}\n]/gu, ' ')
    .trim()

/**
 * A number as people type it in E.164, or undefined. A number without a country code gets `countryCode`, if there is
 * one, in place of its leading zero.
 */
export function toE164(typed: string, countryCode: string | null = null): string | undefined {
  const digits = typed.replace(/[\s().-]/g, '').replace(/^00/, '+')
  const whole = digits.startsWith('+') ? digits : countryCode ? countryCode + digits.replace(/^0/, '') : digits
  return /^\+[1-9]\d{6,14}$/.test(whole) ? whole : undefined
}
