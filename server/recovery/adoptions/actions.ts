import { operations } from '@innkeeper/contract/agent/operations'
import { domain } from '@innkeeper/contract/kit/values'
import * as z from 'zod'
import { liveRead } from '../../kit/agents/liveRead.ts'
import { reader } from '../../kit/agents/sealed.ts'
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

/** The secret with the certificate of a website that was taken over. */
export const certificateOf = (placeId: number) => `adoption-place:${placeId}:certificate`

/** Brings certificate and key of a website that was taken over into a secret. No row of the queue has the key in plain text. */
export const certificateBring = action(
  'adoption.certificate',
  z.object({ placeId: z.int().min(1), serverId: z.int().min(1), domain }),
  {
    title: 'Certificate',
    what: ({ domain: name }) => `the certificate of ${name} stays, and Innkeeper knows it from now on`,
    async run({ placeId, serverId, domain: name }, { app, fence }) {
      const { key, open } = reader()
      const answer = Sealed.parse(await liveRead(app, serverId, 'place.certificate', { domain: name, reader: key }))
      const content = Content.parse(JSON.parse(open(answer.sealed)))
      fence()
      await app.secrets.write(app.db, certificateOf(placeId), JSON.stringify(content))
    },
    undo: ({ placeId }, { app }) => app.secrets.remove(app.db, certificateOf(placeId)),
  },
)
const Sealed = z.object({ sealed: z.string() })
const Content = z.object({ chain: z.string(), key: z.string() })

/** People end the adoption of a website: nothing of it can be given back afterwards. */
export const placeAccept = action('adoption.accept', z.object({ placeId: z.int().min(1) }), {
  title: 'Accepted',
  what: () => 'somebody has accepted the website',
  run: async () => undefined,
  noWayBack: 'The website was accepted: it is like any other',
})
