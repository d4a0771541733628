import type { Good } from '../../../test/hostile/good.ts'

export const profiles: Good<'profiles'> = {
  create: ({ id }) => ({ userId: id('users', 'keeper'), hiredAt: null }),
  update: ({ id }) => ({ id: id('users', 'olga'), hiredAt: '2027-01-09', timeZone: 'Europe/Oslo' }),
  config: ({ id }) => ({ id: id('users', 'keeper'), enabledDarkTheme: false, locale: { language: 'de', firstDay: 7 } }),
}
