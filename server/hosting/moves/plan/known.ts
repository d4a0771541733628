import type { Finding } from '@innkeeper/contract/hosting/moves/shapes'
import { isOffline } from '../../../kit/agents/liveRead.ts'
import type { App } from '../../../kit/app/app.ts'
import { inParallel } from '../../../kit/app/inParallel.ts'
import { refused } from '../../../kit/http/errors.ts'
import { memberIds } from '../../groups/view.ts'
import { readWebsites } from '../../websites/view.ts'
import { roomForAll } from './inspection.ts'
import { examine, textOf } from './preflight.ts'
import type { Into } from './targetAccount.ts'

/** Websites that are examined in parallel: an agent runs few reads at a time. */
const AT_ONCE = 4

interface Planned {
  targetServerId: number
  withCopies: boolean
  into?: Into
  /** The field of the call that names the target server. */
  field: 'targetServerId' | 'originServerTarget'
  /** True: a server that does not answer counts as a blocker, also before it is offline. For moves that can wait. */
  canWait?: boolean
}

/**
 * Refuses a move with the blockers that only the servers know: names that the target has already, a website that answers
 * an error, for a group also a disk without room. Without this check a group could end on two servers. The transaction
 * that starts the move judges our own rows, and its first action asks again a server that is online but slow. Do not
 * call inside a transaction.
 */
export async function refuseKnown(app: App, websiteIds: number[], planned: Planned): Promise<void> {
  const { targetServerId, withCopies, into, field, canWait = false } = planned
  const looks = await inParallel(websiteIds, AT_ONCE, (id) =>
    examine(app, id, targetServerId, { withCopies, quick: websiteIds.length === 1 && !canWait, ...(into && { into }) }),
  )
  const problems: string[] = []
  const away = new Set<number>()
  for (const id of new Set(looks.flatMap(({ source, target }) => [source.id, target.id])))
    if (canWait || (await isOffline(app.db, id))) away.add(id)
  for (const { family, findings, known, source, target } of looks)
    if (!known.some(isBlocker))
      for (const found of findings.filter(isBlocker))
        if ((found.key !== 'source' || away.has(source.id)) && (found.key !== 'reach' || away.has(target.id)))
          problems.push(looks.length > 1 && family[0] ? textOf(family[0].domain, found) : found.text)
  const together = roomForAll(looks)
  if (!problems.length && together?.level === 'blocker') problems.push(together.text)
  if (problems.length) throw refused(problems.join('\n'), { [field]: problems.join('\n') })
}

const isBlocker = ({ level }: Finding) => level === 'blocker'

/** The members of a group on a server, in the group's order. */
export async function membersOn(app: App, groupId: number, serverId: number): Promise<number[]> {
  const members = await readWebsites(app.db, await memberIds(app.db, groupId))
  return members.filter((one) => one.serverId === serverId).map(({ id }) => id)
}
