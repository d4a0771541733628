import { texts } from '../../kit/look/locale.ts'

/** The block of shifts at home. Apart, because the roster does not load them. */
export const shiftBlockTexts = texts(
  {
    mine: 'My shifts',
    swapsWait: (n: number) => (n === 1 ? '1 swap waits for you' : `${n} swaps wait for you`),
    roster: 'Roster',
    and: (a: string, b: string) => `${a} and ${b}`,
    until: (time: string) => `Until ${time}`,
    withBreak: (minutes: number) => `With a break of ${minutes} min`,
    now: 'Now',
    planned: 'Planned',
    noneOfMine: 'No shift of yours is planned.',
  },
  {
    de: {
      mine: 'Meine Schichten',
      swapsWait: (n) => (n === 1 ? '1 Tausch wartet auf Sie' : `${n} Tausche warten auf Sie`),
      roster: 'Dienstplan',
      and: (a, b) => `${a} und ${b}`,
      until: (time) => `Bis ${time}`,
      withBreak: (minutes) => `Mit ${minutes} min Pause`,
      now: 'Jetzt',
      planned: 'Geplant',
      noneOfMine: 'Für Sie ist keine Schicht geplant.',
    },
  },
).now
