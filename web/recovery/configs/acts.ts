import type { ConfigVersion } from '@innkeeper/contract/recovery/configs/shapes'
import { attempt, succeeds } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { counted } from '../../kit/look/format.ts'
import { configsApi } from './api.ts'
import { services, touched } from './words.ts'

/** Starts a collection of all servers, or of one. */
export async function collectAll(serverId?: number): Promise<void> {
  const input = serverId === undefined ? {} : { serverIds: [serverId] }
  const asked = await attempt(() => configsApi.collect(input), touched)
  if (!asked) return
  if (asked.servers)
    toast.info('Configurations are being collected', `Of ${counted(asked.servers, ['server', 'servers'])}.`)
  else toast.info('There is nothing to collect', 'No server has an agent yet.')
}

/** Deletes a version after a question. Returns whether it was deleted. */
export async function removeVersion({ id, service, serverName, number }: ConfigVersion): Promise<boolean> {
  const sure = await confirm({
    title: `Delete version ${number} of ${services[service]} on ${serverName}?`,
    text: 'Nobody can reset the server to this version afterwards. The server itself does not change.',
    verb: 'Delete version',
    danger: true,
  })
  if (!sure) return false
  const done = await succeeds(() => configsApi.remove({ id }), touched)
  if (done) toast.success(`Version ${number} is deleted`)
  return done ?? false
}
