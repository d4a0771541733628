import { operations } from '@innkeeper/contract/agent/operations'
import * as z from 'zod'
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
export const panelRest = action('panel.rest', operations['panel.rest'], {
  title: 'Panel at rest',
  what: () => 'stops jobs by which a panel writes its configuration again',
})
export const placeTake = action('place.take', operations['place.take'], {
  title: 'Take over',
  what: ({ domain, root }) => `${domain} is served by Innkeeper, from ${root}`,
})

/** People end the adoption of a website: nothing of it can be given back afterwards. */
export const placeAccept = action('adoption.accept', z.object({ placeId: z.int().min(1) }), {
  title: 'Accepted',
  what: () => 'somebody has accepted the website',
  run: async () => undefined,
  noWayBack: 'The website was accepted: it is like any other',
})
