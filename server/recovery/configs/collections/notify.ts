import type { ConfigAuthor } from '@innkeeper/contract/agent/configs'
import { holdersOf } from '../../../access/notifications/holders.ts'
import { notify } from '../../../access/notifications/notify.ts'
import type { Db } from '../../../kit/db/db.ts'
import { titles } from '../words.ts'
import { type Difference, isDrift } from './changes.ts'

const NAMED = 5

/** Notifies people of files that somebody changed on a server, except at the first collection of a service. */
export async function notifyDrift(
  tx: Db,
  server: { id: number; name: string },
  differences: readonly Difference[],
  known: ReadonlySet<string>,
  removers: ReadonlyMap<string, ConfigAuthor>,
): Promise<void> {
  const theirs = differences.filter(
    ({ service, path, after }) => known.has(service) && (after ? after.by : removers.get(path)) === 'person',
  )
  if (!theirs.length) return
  const drifted = theirs.filter(isDrift).length
  const names = theirs
    .slice(0, NAMED)
    .map(
      ({ path, service, before, after }) =>
        `${titles[service]}: ${path} ${after ? (before ? 'changed' : 'added') : 'removed'}`,
    )
  const more = theirs.length - names.length
  await notify(tx, {
    to: await holdersOf(tx, 'config-restore:configs:read'),
    reason: 'server',
    level: drifted ? 'warning' : 'info',
    title: `${theirs.length === 1 ? 'A file was' : `${theirs.length} files were`} changed by a person on ${server.name}`,
    body: [
      ...names,
      ...(more > 0 ? [`and ${more} more`] : []),
      ...(drifted ? [`${drifted} of them ${drifted === 1 ? 'is a file' : 'are files'} of Innkeeper.`] : []),
    ].join('\n'),
    link: `/backups/config-resets?server=${server.id}&by=person`,
  })
}
