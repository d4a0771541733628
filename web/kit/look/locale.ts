import type { Language, Locale } from '@innkeeper/contract/access/locale'
import { createStore, useStore } from '../frame/store.ts'

interface Shown {
  language: Language
  region: string
  /** First day of the week: 1 Monday, 6 Saturday, 7 Sunday. */
  firstDay: number
}

/** How texts, dates and numbers are written: the person's choice. */
const locale = createStore<Shown>({ language: 'en', region: 'GB', firstDay: 1 })

export function setLocale({ language, region, firstDay }: Locale): void {
  const next = { language: language ?? 'en', region: region ?? 'GB', firstDay: firstDay ?? 1 }
  locale.set(next)
  document.documentElement.lang = next.language
}

/** The tag for Intl: words in the language, order and signs of the region, such as `en-NO`. */
export const localeTag = (): string => `${locale.get().language}-${locale.get().region}`
export const languageNow = (): Language => locale.get().language
export const firstDay = (): number => locale.get().firstDay
/** Re-renders the component when the person chooses another way of writing. */
export const useLocale = (): Shown => useStore(locale)

type Texts = { readonly [key: string]: string | ((...values: never[]) => string) }
/** The texts of another language: each of the source, with the same values. */
type Same<T extends Texts> = {
  [K in keyof T]: T[K] extends (...values: infer V) => string ? (...values: V) => string : string
}

type InLanguage<T> = (() => T) & { now: () => T }

/**
 * The texts of a domain in every language. English is the source; a language that lacks a text does not compile. Returns the
 * hook that answers the texts in the person's language. `now` answers them without a hook, for functions, and for parts below
 * the frame, which is drawn anew when the person chooses another language.
 */
export function texts<const T extends Texts>(
  en: T,
  others: Record<Exclude<Language, 'en'>, Same<T>>,
): InLanguage<Same<T>> {
  // the source has the shape that is made from it, which the compiler cannot see
  const all = { en, ...others } as unknown as Record<Language, Same<T>>
  return Object.assign(() => all[useLocale().language], { now: () => all[locale.get().language] })
}
