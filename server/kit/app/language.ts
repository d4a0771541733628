import { AsyncLocalStorage } from 'node:async_hooks'
import { type Language, languages } from '@innkeeper/contract/access/locale'

const spoken = new AsyncLocalStorage<Language>()

/** The language of whoever reads the answer of the running call; English for the worker and for programs. */
export const languageNow = (): Language => spoken.getStore() ?? 'en'

export const speakIn = <T>(language: Language, work: () => T): T => spoken.run(language, work)

/** The language that a request asks for: `de-NO` is German. English if there are no texts in it. */
export const languageOf = (header: string | undefined): Language =>
  languages.find((language) => header?.toLowerCase().startsWith(language)) ?? 'en'

type Texts = { readonly [key: string]: string | ((...values: never[]) => string) }
/** The texts of another language: each of the source, with the same values. */
type Same<T extends Texts> = {
  [K in keyof T]: T[K] extends (...values: infer V) => string ? (...values: V) => string : string
}

/**
 * The texts of a domain that people read in answers and notifications. English is the source; a language that lacks a text does
 * not compile. The answer is in the language of the reader.
 */
export function texts<const T extends Texts>(en: T, others: Record<Exclude<Language, 'en'>, Same<T>>): () => Same<T> {
  // the source has the shape that is made from it, which the compiler cannot see
  const all = { en, ...others } as unknown as Record<Language, Same<T>>
  return () => all[languageNow()]
}

/** A day or a month in words: `3 Aug 2027`, `3. Aug. 2027`. Without a zone, because a day is the same everywhere. */
export function dayFormat(options: Intl.DateTimeFormatOptions): (day: string) => string {
  const made = new Map<Language, Intl.DateTimeFormat>()
  return (day) => {
    const language = languageNow()
    const tag = language === 'en' ? 'en-GB' : language
    const format = made.get(language) ?? new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' })
    made.set(language, format)
    return format.format(new Date(`${day.slice(0, 10)}T00:00:00Z`))
  }
}

/** A number in the reader’s way of writing: 4.5, 4,5. */
export const numberText = (n: number): string => (languageNow() === 'de' ? String(n).replace('.', ',') : String(n))
