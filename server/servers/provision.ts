import { eq, sql } from 'drizzle-orm'
import { type PlanStep, step } from '../kit/action.ts'
import type { Db } from '../kit/db.ts'
import { refused } from '../kit/errors.ts'
import { changed } from '../kit/live.ts'
import { describe, onEnd, start } from '../kit/workflow.ts'
import { nginxEnsure, packagesEnsure, phpEnsure } from './actions.ts'
import { servers, serverTypes } from './tables.ts'

type Server = typeof servers.$inferSelect
interface Provision {
  packages: string[]
  step(server: Server): PlanStep
}

const PHP = '8.2' // of Debian 12, and of the plans
const extensions = ['fpm', 'cli', 'mysql', 'xml', 'mbstring', 'gd', 'intl', 'curl', 'zip']
const on = ({ id, name }: Server, type: string) => ({ server: id, resource: { type, id, name } })

/** Services with a driver. One that is wanted without one is left out of the plan and shown as wanted, not found. */
const provisions: Record<string, Provision> = {
  nginx: { packages: ['nginx'], step: (server) => step(nginxEnsure, {}, on(server, 'nginx')) },
  'php-fpm': {
    packages: extensions.map((extension) => `php${PHP}-${extension}`),
    step: (server) => step(phpEnsure, { phpVersion: PHP }, on(server, 'php-fpm')),
  },
}

async function planOf(tx: Db, server: Server): Promise<PlanStep[]> {
  const [type] = await tx.select().from(serverTypes).where(eq(serverTypes.name, server.type))
  const built = (type?.services ?? []).flatMap((service) => provisions[service] ?? [])
  if (!built.length) return []
  const packages = [...new Set(built.flatMap((provision) => provision.packages))]
  return [step(packagesEnsure, { packages }, on(server, 'packages')), ...built.map((one) => one.step(server))]
}

/** Starts it in the caller's transaction; 409 while one is at work, 422 where nothing of its type is built yet. */
export async function provision(tx: Db, server: Server, by: { id: number | null; name: string }): Promise<number> {
  const plan = await planOf(tx, server)
  if (!plan.length) throw refused(`Nothing of a ${server.type} server can be provisioned yet`)
  const { id, name } = server
  return start(tx, {
    kind: 'server.provision',
    subject: { type: 'server', id, name },
    holder: by.name,
    startedById: by.id,
    plan,
    locks: [`server:${id}`],
  })
}

/** By itself, when a server enrols for the first time. */
export async function provisionAtFirst(tx: Db, server: Server): Promise<void> {
  if (server.enrolledAt || server.provisionedAt || !(await planOf(tx, server)).length) return
  await provision(tx, server, { id: null, name: 'Innkeeper' })
}

describe('server.provision', { title: 'Provision server', doing: 'being provisioned' })
onEnd('server.provision', async (tx, { subjectId }, outcome) => {
  if (outcome === 'done' || outcome === 'rolled-back')
    await tx
      .update(servers)
      .set({ provisionedAt: outcome === 'done' ? sql`now()` : null })
      .where(eq(servers.id, subjectId))
  await changed(tx, 'servers', subjectId)
})
