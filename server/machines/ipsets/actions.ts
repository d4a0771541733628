import { operations } from '@innkeeper/contract/agent/operations'
import { action } from '../../kit/work/action.ts'

export const ipSetEnsure = action('ip-set.ensure', operations['ip-set.ensure'], {
  title: 'IP set',
  what: ({ set, change, whole, parts }) => {
    const entries = parts.reduce((sum, { elements }) => sum + elements.length, 0)
    const said = `${entries} ${entries === 1 ? 'entry' : 'entries'}`
    return whole ? `${set}, ${said}, the complete set` : `${set} at change ${change}, ${said} in the changed ranges`
  },
})
export const ipSetRemove = action('ip-set.remove', operations['ip-set.remove'], {
  title: 'IP set',
  what: ({ set }) => `${set} is removed`,
})
export const ipSetsCompare = action('ip-sets.compare', operations['ip-sets.compare'], {
  title: 'Compare',
  lane: 'long',
  what: ({ sets }) =>
    `${sets.length} ${sets.length === 1 ? 'set' : 'sets'}, in the kernel and in the files for the next boot`,
})
