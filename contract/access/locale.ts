import * as z from 'zod'

/** Languages of the screens. English is the source of all texts. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** Countries whose way of writing dates and numbers people may choose. The day comes before the month in all of them. */
export const regions = [
  'GB',
  'IE',
  'NO',
  'SE',
  'DK',
  'FI',
  'IS',
  'DE',
  'AT',
  'CH',
  'NL',
  'FR',
  'ES',
  'IT',
  'PL',
  'BG',
  'GR',
] as const
export type Region = (typeof regions)[number]

/** Null: English, as written in Great Britain, with weeks from Monday. */
export const Locale = z.object({
  language: z.enum(languages).nullable(),
  region: z.enum(regions).nullable(),
  /** First day of the week: 1 Monday, 6 Saturday, 7 Sunday. */
  firstDay: z.literal([1, 6, 7]).nullable(),
})
export type Locale = z.output<typeof Locale>
