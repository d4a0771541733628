import { ofRecipient } from '@innkeeper/contract/desk/sms/text'

const people = { firstName: 'Kari', lastName: 'Nordmann', name: 'Kari Nordmann' }

/** Example values for the placeholders that a recipient fills, for previews. */
export const ofPeople = ofRecipient.map((name) => ({ name, example: people[name] }))

/** Stands for a value that is not given yet. Its signs are those of GSM-7, so that the count of segments stays right. */
export const unfilled = (name: string): string => `<${name}>`
