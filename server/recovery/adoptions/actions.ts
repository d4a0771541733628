import { operations } from '@innkeeper/contract/agent/operations'
import { action } from '../../kit/work/action.ts'

export const machineLook = action('machine.look', operations['machine.look'], {
  title: 'Look at server',
  lane: 'long',
  what: () => 'lists what runs there and changes nothing',
})
export const machineOpen = action('machine.open', operations['machine.open'], {
  title: 'Open the old server',
  what: ({ account, minutes }) => `the chosen websites of ${account}, for ${minutes} minutes`,
})
export const archivePull = action('archive.pull', operations['archive.pull'], {
  title: 'Fetch websites',
  lane: 'long',
  what: () => 'files, databases and mail, packed while they are sent',
})
