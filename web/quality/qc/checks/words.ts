import { type Check, type CheckResult, type CheckRule, languages } from '@innkeeper/contract/quality/qc/checks'
import { counted, lasting } from '../../../kit/look/format.ts'

export const checkNames: Record<Check, string> = {
  firstAnswer: 'Time to the first answer',
  silence: 'Longest wait for an answer',
  unanswered: 'Customer left without an answer',
  repeated: 'Customer asks the same again',
  closedBy: 'Who closed',
  greeting: 'Greeting',
  closing: 'Closing words',
  wanted: 'Phrases wanted',
  forbidden: 'Phrases forbidden',
  links: 'Links to other hosts',
  secrets: 'Card numbers and passwords',
  language: 'Language',
  sentiment: 'Tone',
}
export const checkHints: Record<Check, string> = {
  firstAnswer: 'Fails if the first answer of a person takes longer. Answers of bots do not count.',
  silence: 'Fails if the customer waits longer for any answer of a person.',
  unanswered: 'Fails if the customer wrote last and nobody answers in this time.',
  repeated: 'Fails if the customer writes nearly the same words twice.',
  closedBy:
    'Reads the last event of the conversation with one of the phrases, and fails if somebody else caused the event.',
  greeting: 'Fails if the first message of an agent has none of the phrases.',
  closing: 'Fails if the last message of an agent has none of the phrases.',
  wanted: 'Fails if no message has one of the phrases.',
  forbidden: 'Fails if a message has one of the phrases.',
  links: 'Fails if a message links to a host that is not listed.',
  secrets:
    'Fails if a message has a card number with a valid check digit, or a password in the open. Passwords are recognised by the word before them, so that not every one is found.',
  language:
    'Fails for another language. Without a list, the agent writes in the language of the customer. Texts below 60 characters have no result.',
  sentiment:
    'Fails below these points for 100 words. The list of words (AFINN) is English: other languages have no result.',
}
export const speakerNames = { agent: 'Agents', customer: 'Customers', everybody: 'Everybody' } as const
export const hoursNames = { clock: 'All hours', roster: 'Hours of the roster' } as const
export const roleNames = { agent: 'Agent', customer: 'Customer', bot: 'Bot', system: 'System' } as const

const inEnglish = new Intl.DisplayNames('en', { type: 'language' })
const languageName = (code: string): string => inEnglish.of(code) ?? code
export const languageOptions = languages.map((value) => ({ value, label: languageName(value) }))

/** Checks that read phrases, and those that have a time. */
export const ofPhrases: readonly Check[] = ['greeting', 'closing', 'wanted', 'forbidden', 'closedBy']
export const ofTime: readonly Check[] = ['firstAnswer', 'silence', 'unanswered']
export const ofSpeaker: readonly Check[] = ['wanted', 'forbidden', 'links', 'secrets', 'language', 'sentiment']

/** What a result measured: "3 h 20 min", "Norwegian", "−8 points". */
export function measured({ check, value, note }: Pick<CheckResult, 'check' | 'value' | 'note'>): string | undefined {
  if (note !== null)
    return check === 'language' ? languageName(note) : (roleNames[note as keyof typeof roleNames] ?? note)
  if (value === null) return undefined
  return check === 'sentiment' ? `${value} points for 100 words` : lasting(value * 60_000)
}

/** Share of the conversations with a result that failed. */
export const rateOf = ({ passed, failed }: Pick<CheckRule, 'passed' | 'failed'>): string =>
  passed + failed === 0 ? '–' : `${Math.round((failed / (passed + failed)) * 1000) / 10} %`

/** How a rule agrees with people: "18 of 20 failed ones got a low score, too". */
export function agreementOf({ agreement, scoreTypeName }: Pick<CheckRule, 'agreement' | 'scoreTypeName'>): string {
  if (!agreement) return 'Not compared: choose a score type'
  const { compared, failed, failedAndLow, low } = agreement
  if (!compared) return `No human score of ${scoreTypeName} for a checked conversation yet`
  const right = failed
    ? `${failedAndLow} of ${counted(failed, ['failed one', 'failed ones'])} got a low score`
    : 'None failed'
  return `${right}; ${failedAndLow} of ${counted(low, ['low score', 'low scores'])} failed, of ${counted(compared, ['conversation', 'conversations'])}`
}

/** The share of failed conversations that people scored low, too. */
export const precisionOf = ({ agreement }: Pick<CheckRule, 'agreement'>): string =>
  agreement?.failed ? `${Math.round((agreement.failedAndLow / agreement.failed) * 100)} %` : '–'
