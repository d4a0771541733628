import { languageNow, texts } from '../kit/look/locale.ts'

/** The words of the home screen itself. Blocks have those of their domains. */
export const homeTexts = texts(
  {
    signedInAs: (name: string) => `Signed in as ${name}`,
    waiting: 'Waiting for you',
    moveBlock: (title: string) => `Move the block ${title}, with the arrow keys or by dragging`,
    firstSteps: 'First steps',
    doneOf: (done: number, all: number) => `${done} of ${all} done`,
    hide: 'Hide',
    isDone: ', done',
    addServer: 'Add a server',
    addServerText: 'One command installs the agent on a Debian machine.',
    createWebsite: 'Create a website',
    createWebsiteText: 'nginx, PHP and a database in one act.',
    invite: 'Invite people',
    inviteText: 'They get a one-use link, and the rights of their role.',
    helpDesk: 'Connect a help desk',
    helpDeskText: 'Its chats and tickets can then be reviewed.',
  },
  {
    de: {
      signedInAs: (name) => `Angemeldet als ${name}`,
      waiting: 'Wartet auf Sie',
      moveBlock: (title) => `Block ${title} verschieben, mit den Pfeiltasten oder durch Ziehen`,
      firstSteps: 'Erste Schritte',
      doneOf: (done, all) => `${done} von ${all} erledigt`,
      hide: 'Ausblenden',
      isDone: ', erledigt',
      addServer: 'Server hinzufügen',
      addServerText: 'Ein Befehl installiert den Agenten auf einer Debian-Maschine.',
      createWebsite: 'Website anlegen',
      createWebsiteText: 'nginx, PHP und eine Datenbank in einem Schritt.',
      invite: 'Personen einladen',
      inviteText: 'Sie erhalten einen einmaligen Link und die Rechte ihrer Rolle.',
      helpDesk: 'Helpdesk verbinden',
      helpDeskText: 'Seine Chats und Tickets können dann bewertet werden.',
    },
  },
).now

const germanBlocks: Readonly<Record<string, string>> = {
  tasks: 'Aufgaben',
  unread: 'Ungelesen',
  shifts: 'Meine Schichten',
  down: 'Websites',
  servers: 'Server',
  expiring: 'Ablaufende Zertifikate',
  leaves: 'Urlaub',
  'said-of-me': 'Über mich gesagt',
  events: 'Termine',
  changes: 'Seit Ihrem letzten Besuch',
}
/** The title of a block in the language of the person; domains state the English one. */
export const blockTitle = (name: string, title: string): string =>
  languageNow() === 'de' ? (germanBlocks[name] ?? title) : title

/** German nouns of what waits, by the English ones that the domains state. */
export const germanWaits: Readonly<Record<string, readonly [one: string, many: string]>> = {
  'chat to review': ['Chat zu bewerten', 'Chats zu bewerten'],
  'ticket to review': ['Ticket zu bewerten', 'Tickets zu bewerten'],
  'entry about you': ['Eintrag über Sie', 'Einträge über Sie'],
  'swap to answer': ['Tausch zu beantworten', 'Tausche zu beantworten'],
  'leave to decide': ['Urlaub zu entscheiden', 'Urlaube zu entscheiden'],
  'failed task of yours': ['gescheiterte Aufgabe von Ihnen', 'gescheiterte Aufgaben von Ihnen'],
  'request for permissions to decide': ['Bitte um Rechte zu entscheiden', 'Bitten um Rechte zu entscheiden'],
  'recovery to confirm': ['Wiederherstellung zu bestätigen', 'Wiederherstellungen zu bestätigen'],
  'ticket of yours': ['Ticket von Ihnen', 'Tickets von Ihnen'],
  'bug of yours': ['Fehler von Ihnen', 'Fehler von Ihnen'],
  'request of yours': ['Wunsch von Ihnen', 'Wünsche von Ihnen'],
}
