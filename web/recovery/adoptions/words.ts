import type { Adoption } from '@innkeeper/contract/recovery/adoptions/shapes'
import { counted } from '../../kit/look/format.ts'

export const panels: Record<NonNullable<Adoption['panel']>, string> = {
  ...{ hestia: 'HestiaCP', vesta: 'Vesta', ispconfig: 'ISPConfig', none: 'Set up by hand' },
}
export const touched = ['adoptions', 'archiveImports', 'workflows']

export const contentOf = ({ counts, reason }: Adoption): string =>
  reason ??
  (counts
    ? `${counted(counts.websites, ['website', 'websites'])} in ${counted(counts.accounts, ['account', 'accounts'])}`
    : '')

export const remainingOf = ({ status, remaining }: Adoption): string =>
  status === 'retired'
    ? 'nothing leads here'
    : remaining === null
      ? 'not looked up yet'
      : remaining === 0
        ? 'nothing leads here'
        : `${counted(remaining, ['name leads', 'names lead'])} here`
