import { languageNow } from '../../kit/app/language.ts'
import type { Day } from './days.ts'

const options = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const
const form = new Intl.DateTimeFormat('en-GB', options)
const noonOf = (day: Day) => new Date(`${day}T12:00:00Z`)

const forms = new Map<string, Intl.DateTimeFormat>()
/** The same in the language of the reader: `1.–7. Mai 2028`. Texts that are stored have `daysInWords`. */
export function spokenDays(from: Day, to: Day = from): string {
  const language = languageNow()
  if (language === 'en') return daysInWords(from, to)
  const made = forms.get(language) ?? new Intl.DateTimeFormat(language, options)
  forms.set(language, made)
  return made.formatRange(noonOf(from), noonOf(to))
}

/** `8 Jan 2029`, `1–7 May 2028`, `28 Dec 2026 – 3 Jan 2027`. */
export const daysInWords = (from: Day, to: Day = from): string => form.formatRange(noonOf(from), noonOf(to))
