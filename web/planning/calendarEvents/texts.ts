import { entryKinds } from '@innkeeper/contract/planning/calendarEvents/entry'
import { eventTypes, rsvps } from '@innkeeper/contract/planning/calendarEvents/event'
import { texts } from '../../kit/look/locale.ts'

/** What everybody reads of the team’s calendar, and of events at home. Forms of events, series and holidays are English. */
export const calendarEventTexts = texts(
  {
    month: 'Month',
    quarter: 'Quarter',
    year: 'Year',
    range: 'Range',
    view: 'View',
    manage: 'Manage',
    addEvent: 'Add event',
    timeOf: (zone: string) => `${zone} time`,
    types: 'Types',
    allTypes: 'All types',
    kinds: 'Kinds',
    from: 'From',
    to: 'To',
    events: 'Events',
    nothing: 'Nothing is in these days.',
    birthdayOf: (name: string) => `${name}’s birthday`,
    fromUntil: (from: string, until: string) => `From ${from}, until ${until}`,
    calendar: 'Calendar',
    none: 'No event is planned for you.',
    comes: (title: string) => `I come: ${title}`,
    comesNot: (title: string) => `I do not come: ${title}`,
    come: 'I come',
    decline: 'Decline',
    waitingPlace: (n: number) => `You are number ${n} of the waiting list.`,
    when: 'When',
    what: 'What',
    dayOff: 'Nobody has to work on this day.',
    fromLibrary: 'The holiday comes from the library for the place where you work.',
    openProfile: 'Open profile',
  },
  {
    de: {
      month: 'Monat',
      quarter: 'Quartal',
      year: 'Jahr',
      range: 'Zeitraum',
      view: 'Ansicht',
      manage: 'Verwalten',
      addEvent: 'Termin anlegen',
      timeOf: (zone) => `Zeit von ${zone}`,
      types: 'Arten',
      allTypes: 'Alle Arten',
      kinds: 'Arten von Einträgen',
      from: 'Von',
      to: 'Bis',
      events: 'Termine',
      nothing: 'In diesen Tagen ist nichts.',
      birthdayOf: (name) => `Geburtstag von ${name}`,
      fromUntil: (from, until) => `Von ${from}, bis ${until}`,
      calendar: 'Kalender',
      none: 'Für Sie ist kein Termin geplant.',
      comes: (title) => `Ich komme: ${title}`,
      comesNot: (title) => `Ich komme nicht: ${title}`,
      come: 'Ich komme',
      decline: 'Absagen',
      waitingPlace: (n) => `Sie stehen auf Platz ${n} der Warteliste.`,
      when: 'Wann',
      what: 'Was',
      dayOff: 'An diesem Tag muss niemand arbeiten.',
      fromLibrary: 'Der Feiertag kommt aus der Bibliothek für den Ort, an dem Sie arbeiten.',
      openProfile: 'Profil öffnen',
    },
  },
).now

export const entryKindTexts = texts(entryKinds, {
  de: {
    ...{ event: 'Termine', repeatable: 'Serientermine', national: 'Feiertage', birthday: 'Geburtstage' },
    ...{ shift: 'Meine Schichten', leave: 'Urlaub' },
  },
}).now

export const eventTypeTexts = texts(eventTypes, {
  de: {
    ...{ meeting: 'Besprechung', training: 'Schulung', maintenance: 'Wartung', 'team-building': 'Teamtag' },
    ...{ announcement: 'Ankündigung', other: 'Sonstiges' },
  },
}).now

export const rsvpTexts = texts(rsvps, {
  de: {
    ...{ 'needs-action': 'Noch keine Antwort', accepted: 'Zugesagt', tentative: 'Vielleicht' },
    ...{ declined: 'Abgesagt', waitlisted: 'Warteliste' },
  },
}).now
