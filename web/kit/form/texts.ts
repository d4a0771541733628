import { texts } from '../look/locale.ts'

/** What every form says, in every language. */
export const formTexts = texts(
  {
    stillNeeded: (fields: string) => `Still needed: ${fields}`,
    required: 'Required',
    incomplete: 'Not complete yet.',
    theirs: (fields: string) => `This form has their ${fields} now.`,
    noneChanged: 'They changed none of your fields.',
    saveAgain: 'Nothing of yours is lost: save again.',
    /** A label within a sentence. */
    within: (label: string) => label.toLowerCase(),
  },
  {
    de: {
      stillNeeded: (fields) => `Es fehlt: ${fields}`,
      required: 'Erforderlich',
      incomplete: 'Noch nicht vollständig.',
      theirs: (fields) => `Das Formular zeigt jetzt deren Werte: ${fields}.`,
      noneChanged: 'Keines Ihrer Felder wurde dabei geändert.',
      saveAgain: 'Ihre Eingaben sind noch da: speichern Sie erneut.',
      within: (label) => label,
    },
  },
).now
