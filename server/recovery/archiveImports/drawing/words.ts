import type { HashForm } from '@innkeeper/contract/recovery/archiveImports/inventory'

/** `1 file`, `12 files`. */
export const counted = (count: number, noun: string) =>
  `${count.toLocaleString('en-GB')} ${noun}${count === 1 ? '' : 's'}`

/** Why an account gets a new password. */
export const whyNew = (hash: HashForm): string =>
  hash === 'none' ? 'the archive has none' : 'the form of its password is not taken here'
