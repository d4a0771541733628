import type { Language } from '../../access/locale.ts'
import type { LeaveCode } from './values.ts'

/** Names of the kinds of leave that come with Innkeeper. An organisation may rename them; its names stand in every language. */
const kindNames: Record<Language, Record<LeaveCode | 'away', string>> = {
  en: {
    ...{ paid: 'Paid leave', unpaid: 'Unpaid leave', sick: 'Sick leave', maternity: 'Maternity leave' },
    ...{ paternity: 'Paternity leave', compensatory: 'Time off in lieu', study: 'Study leave' },
    ...{ special: 'Special leave', away: 'Away' },
  },
  de: {
    ...{ paid: 'Bezahlter Urlaub', unpaid: 'Unbezahlter Urlaub', sick: 'Krankheit', maternity: 'Mutterschutz' },
    ...{ paternity: 'Vaterschaftsurlaub', compensatory: 'Freizeitausgleich', study: 'Bildungsurlaub' },
    ...{ special: 'Sonderurlaub', away: 'Abwesend' },
  },
}

/** The name of a kind in a language; one that the organisation chose stays. Without a code: an absence of a kind that is not shown. */
export const kindName = (code: LeaveCode | null, name: string, language: Language): string =>
  name === kindNames.en[code ?? 'away'] ? kindNames[language][code ?? 'away'] : name
