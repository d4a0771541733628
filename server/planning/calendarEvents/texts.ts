import { texts } from '../../kit/app/language.ts'

/** Why leaves cost something else, as their people read it. */
export const calendarTexts = texts(
  {
    added: (name: string) => `${name} was added to the calendar`,
    changed: (name: string) => `${name} was changed`,
    removed: (name: string) => `${name} was removed`,
    workplaceChanged: (of: string) => `The workplace of ${of} was changed`,
    workplaceRemoved: (of: string) => `The workplace of ${of} was removed`,
    organisation: 'the organisation',
  },
  {
    de: {
      added: (name) => `${name} wurde in den Kalender aufgenommen`,
      changed: (name) => `${name} wurde geändert`,
      removed: (name) => `${name} wurde entfernt`,
      workplaceChanged: (of) => `Der Arbeitsort von ${of} wurde geändert`,
      workplaceRemoved: (of) => `Der Arbeitsort von ${of} wurde entfernt`,
      organisation: 'der ganzen Organisation',
    },
  },
)
