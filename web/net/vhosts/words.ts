import type { PhpChange, PhpParameters } from '@innkeeper/contract/hosting/phpParameters'
import { phpValue } from '@innkeeper/contract/hosting/phpParameters'
import type { PhpName } from '@innkeeper/contract/hosting/phpRules'
import { phpNames } from '@innkeeper/contract/hosting/phpRules'
import { applicationTitles } from '@innkeeper/contract/net/originVhosts/applications'
import type { OriginVhost } from '@innkeeper/contract/net/originVhosts/shapes'

/** The form's values: text for each parameter, '' for the default. */
export type PhpDraft = Record<PhpName, string>

export const draftOf = (set: PhpParameters): PhpDraft =>
  Object.fromEntries(phpNames.map((name) => [name, textOf(name, set[name])])) as PhpDraft // every name has its text

const textOf = (name: PhpName, value: number | boolean | string | undefined) =>
  value === undefined ? '' : phpValue(name, value).replace(/M$/, '')

/** The input of the call: null restores the default. */
export const changeOf = (draft: PhpDraft): PhpChange =>
  // the contract parses text too
  Object.fromEntries(phpNames.map((name) => [name, draft[name].trim() === '' ? null : draft[name].trim()])) as PhpChange

/** `memory_limit 256M, display_errors on, with imagick, without ftp` */
export const inWords = (set: PhpParameters): string =>
  [
    ...phpNames.flatMap((name) => (set[name] === undefined ? [] : `${name} ${phpValue(name, set[name])}`)),
    ...(set.extensionsOn?.map((name) => `with ${name}`) ?? []),
    ...(set.extensionsOff?.map((name) => `without ${name}`) ?? []),
  ].join(', ')

const by: Readonly<Record<OriginVhost['applicationBy'], string>> = { found: ', found', chosen: ', chosen', usual: '' }
/** `WordPress, found; own rules` */
export const rulesInWords = ({ application, applicationBy, ownRules }: OriginVhost): string =>
  `${applicationTitles[application]}${by[applicationBy]}${ownRules ? '; own rules' : ''}`

/** The result of the last comparison. */
export const seenWords = { same: 'As wanted', differs: 'Differs' } as const
