import type { PhpChange, PhpName, PhpParameters } from '@innkeeper/contract/phpParameters'
import { phpNames, phpValue } from '@innkeeper/contract/phpParameters'

/** What a form holds: text for every parameter, '' for what is as everywhere. */
export type PhpDraft = Record<PhpName, string>

export const draftOf = (set: PhpParameters): PhpDraft =>
  Object.fromEntries(phpNames.map((name) => [name, textOf(name, set[name])])) as PhpDraft // every name has its text

const textOf = (name: PhpName, value: number | boolean | string | undefined) =>
  value === undefined ? '' : phpValue(name, value).replace(/M$/, '')

/** What the call takes: null for what is to be as everywhere again. */
export const changeOf = (draft: PhpDraft): PhpChange =>
  Object.fromEntries(phpNames.map((name) => [name, draft[name].trim() === '' ? null : draft[name].trim()])) as PhpChange // the contract reads text too

/** `memory_limit 256M, display_errors on` */
export const inWords = (set: PhpParameters): string =>
  phpNames.flatMap((name) => (set[name] === undefined ? [] : `${name} ${phpValue(name, set[name])}`)).join(', ')

/** What an edge or origin was like when it was last compared. */
export const seenWords = { same: 'As wanted', differs: 'Differs' } as const
