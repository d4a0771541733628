import type { Website } from '@innkeeper/contract/hosting/websites'
import { visit } from '../sites.ts'
import { nginxIsGood, none, once, traces } from '../traces.ts'
import { until } from '../until.ts'
import type { State } from './kinds.ts'
import type { Managed, World } from './world.ts'

/** Acknowledged calls, by workflow. `asked` also counts calls without an answer. */
export type Calls = Map<number, { acknowledged: number; asked: number }>

/**
 * Compares a website on its host with Innkeeper: it exists once and completely, or not at all. Answers the differences.
 */
export async function checkWebsite(website: Website, server: Managed, state: State): Promise<string[]> {
  const { domain } = website
  const bad: string[] = []
  const found = await traces(server.host, website)
  const wanted = state === 'gone' || state === 'trashed' ? none : once
  for (const [what, count] of Object.entries(wanted))
    if (found[what as keyof typeof found] !== count)
      // the keys of both are those of Traces
      bad.push(`${domain} is ${state}, and its ${what} are ${found[what as keyof typeof found]}, not ${count}`)
  const page = await visit(server.host.address, domain)
  const status = { active: 200, suspended: 503, trashed: 0, gone: 0 }[state]
  if (page.status !== status) bad.push(`${domain} is ${state} and answers ${page.status || 'nothing'}`)
  if (state === 'active' && !page.body.includes(`<h1>${domain}</h1>`)) bad.push(`${domain} serves another page`)
  return bad
}

/** Both hosts are healthy: nginx accepts its configuration, no unit failed, no temporary files remain. */
export async function checkHost({ host }: Managed): Promise<string[]> {
  const bad: string[] = []
  if (!(await nginxIsGood(host))) bad.push(`nginx -t of ${host.name} fails`)
  const units = (await host.exec(['systemctl', '--failed', '--no-legend', '--plain'])).stdout.trim()
  if (units) bad.push(`failed units of ${host.name}: ${units}`)
  const places = ['/etc/nginx', '/etc/innkeeper', '/etc/php', '/etc/systemd/system', '/usr/share/innkeeper', '/home']
  const aside = ['-name', '*.new', '-o', '-name', '*.part', '-o', '-name', '*.tmp']
  const left = (await host.exec(['find', ...places, '(', ...aside, ')', '-print'])).stdout.trim()
  if (left) bad.push(`temporary files on ${host.name}: ${left}`)
  return bad
}

/** `hourly`: started by the worker, not by a person. */
const leftovers = `select 'lock ' || l.resource as what, w.started_by_id is null as hourly
    from resource_locks l join workflows w using (workflow_id)
  union all select 'workflow ' || workflow_id || ' ' || status, started_by_id is null from workflows where ended_at is null
  union all select 'action ' || a.action_id || ' ' || a.name || ' ' || a.status, w.started_by_id is null from actions a
    join workflows w using (workflow_id) where a.status in ('ready', 'running', 'unknown', 'failed', 'blocked')
  union all select 'lease of action ' || a.action_id, w.started_by_id is null from actions a
    join workflows w using (workflow_id) where a.lease_until is not null`

/** No lock is held, no action is ready or running, and each acknowledged call has its row in the action log. */
export async function checkRows(world: World, calls: Calls): Promise<string[]> {
  const left = () => world.look<{ what: string; hourly: boolean }>(leftovers)
  const asked = async () => (await left()).filter(({ hourly }) => !hourly)
  // reported below
  await until('requested workflows have ended', async () => !(await asked()).length).catch(() => {})
  const late = await asked()
  // a jump of the worker's clock by an hour has started hourly workflows, which end by themselves
  await until('all workflows have ended', async () => !(await left()).length).catch(() => {}) // reported below
  const over = new Set([...late, ...(await left())].map(({ what }) => what))
  const bad = [...over].map((what) => `left over: ${what}`)
  for (const [id, { acknowledged, asked }] of calls) {
    const [row] = await world.look<{ n: number }>(
      `select count(*)::int as n from action_logs where workflow_id = $1 and result = 'success'`,
      [id],
    )
    const n = row?.n ?? 0
    if (n < acknowledged || n > asked)
      bad.push(`workflow ${id}: ${acknowledged} of ${asked} calls were acknowledged, but the action log has ${n}`)
  }
  const twice = await world.look<{ domain: string }>(
    `select domain from websites where deleted_at is null group by domain having count(*) > 1`,
  )
  return [...bad, ...twice.map(({ domain }) => `${domain} is there twice`)]
}
