import { type Locale, languages, regions } from '@innkeeper/contract/access/locale'
import type { Profile } from '@innkeeper/contract/access/profiles'
import { Select, SimpleGrid } from '@mantine/core'
import { dateFormat } from '../../../kit/look/dateFormat.ts'
import { texts } from '../../../kit/look/locale.ts'
import type { SaveConfig } from './useConfig.ts'

const useTexts = texts(
  {
    language: 'Language',
    partly:
      'German covers the frame of all pages (menu, titles, lists, dialogs, dates), home, leave, your shifts and the calendar, your settings and the list of notifications. Fields, columns and messages of the other areas are English so far',
    region: 'Dates and numbers',
    firstDay: 'First day of the week',
    firstDayHint: 'In calendars. Weeks of statistics and ISO week numbers begin on Monday.',
  },
  {
    de: {
      language: 'Sprache',
      partly:
        'Deutsch sind der Rahmen aller Seiten (Menü, Titel, Listen, Dialoge, Daten), Startseite, Urlaub, Ihre Schichten und der Kalender, Ihre Einstellungen und die Liste der Benachrichtigungen. Felder, Spalten und Meldungen der übrigen Bereiche sind noch Englisch',
      region: 'Datum und Zahlen',
      firstDay: 'Erster Tag der Woche',
      firstDayHint: 'In Kalendern. Wochen der Statistik und Kalenderwochen beginnen am Montag.',
    },
  },
)

const names = { en: 'English', de: 'Deutsch' }
const example = new Date('2026-11-21T12:00:00Z')

/** How this person reads texts, dates and numbers, in every browser. */
export function LocaleSettings({ profile, save }: { profile: Profile; save: SaveConfig }) {
  const words = useTexts()
  const { language, region, firstDay } = profile.profileConfig.locale
  const shown = language ?? 'en'
  const put = (locale: Partial<Locale>) => void save({ locale })
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} w="100%">
      <Select
        label={words.language}
        description={shown === 'en' ? undefined : words.partly}
        inputWrapperOrder={['label', 'input', 'description']}
        allowDeselect={false}
        data={languages.map((value) => ({ value, label: names[value] }))}
        value={shown}
        onChange={(next) => put({ language: languages.find((one) => one === next) ?? null })}
      />
      <Select
        label={words.region}
        description={exampleOf(shown, region ?? 'GB')}
        inputWrapperOrder={['label', 'input', 'description']}
        allowDeselect={false}
        data={regions.map((value) => ({ value, label: countryOf(shown, value) }))}
        value={region ?? 'GB'}
        onChange={(next) => put({ region: regions.find((one) => one === next) ?? null })}
      />
      <Select
        label={words.firstDay}
        description={words.firstDayHint}
        inputWrapperOrder={['label', 'input', 'description']}
        allowDeselect={false}
        data={([1, 7, 6] as const).map((day) => ({ value: String(day), label: weekdayIn(shown, day) }))}
        value={String(firstDay ?? 1)}
        onChange={(next) => put({ firstDay: ([1, 6, 7] as const).find((day) => String(day) === next) ?? null })}
      />
    </SimpleGrid>
  )
}

const countryOf = (language: string, region: string) =>
  new Intl.DisplayNames(language, { type: 'region' }).of(region) ?? region
const weekdayIn = (language: string, day: number) =>
  dateFormat({ weekday: 'long' }, 'UTC', language).one(Date.UTC(2024, 0, day)) // 1 January 2024 is a Monday
const exampleOf = (language: string, region: string) => {
  const tag = `${language}-${region}`
  const day = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' }, 'UTC', tag)
  return `${day.one(example)} · ${new Intl.NumberFormat(tag).format(12345.6)}`
}
