import { phaseOf } from '@innkeeper/contract/hosting/moves/phaseOf'
import type { Phase } from '@innkeeper/contract/hosting/moves/shapes'
import type { Db } from '../../../kit/db/db.ts'
import { carry } from '../startMove.ts'
import type { Checked } from './inspection.ts'
import { type Mover, movePlan, type Route } from './plan.ts'

interface Planned {
  title: string
  what: string
  phase: Phase
  serverName: string | null
}

/** Id of an account that does not exist yet. */
const NONE = 0

/** Actions of a move, shown before its start. Empty if the move cannot start. */
export async function plannedOf(db: Db, { sites, family, source, target, home }: Checked): Promise<Planned[]> {
  if (!source.address || !target.address || home.problem) return []
  const movers = sites.map((from): Mover => {
    // a staging copy keeps an account of its own, with the same name if it is free
    const own = from.systemUser.id === family[0]?.systemUserId
    const account = own ? { id: home.accountId ?? NONE, username: home.username } : { ...from.systemUser, id: NONE }
    return {
      from,
      to: {
        ...from,
        documentRoot: from.documentRoot.replace(/^\/home\/[^/]+/, `/home/${account.username}`),
        server: { id: target.id, name: target.name, webServer: target.webServer },
        systemUser: account,
      },
      state: family.find(({ id }) => id === from.id)?.status === 'suspended' ? 'suspended' : 'active',
    }
  })
  const [first, ...rest] = movers
  if (!first) return []
  const route: Route = {
    migrationId: NONE,
    source: { id: source.id, name: source.name, address: source.address },
    target: { id: target.id, name: target.name, address: target.address },
    movers: [first, ...rest],
    family: family.map(({ id }) => id),
    returning: false,
  }
  return movePlan(route, await carry(db, route)).map((step) => ({
    title: step.title,
    what: step.what,
    phase: phaseOf(step),
    serverName: step.serverId === source.id ? source.name : step.serverId === target.id ? target.name : null,
  }))
}
