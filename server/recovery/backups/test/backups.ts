import type { Op } from '@innkeeper/contract/agent/door'
import { sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import { claim, finish } from '../../../kit/work/claim.ts'
import { sitesOf } from '../../../net/vhosts/test/sites.ts'
import { openTestApp } from '../../../test/app.ts'
import { enrolled, hearAlways } from '../../../test/work.ts'

const certificate = `-----BEGIN CERTIFICATE-----\n${'MIIB'.repeat(12)}\n-----END CERTIFICATE-----\n`
export const keep = { last: 2, hourly: 0, daily: 3, weekly: 0, monthly: 0, yearly: 0 }
export const when = { every: 'day', at: '02:30', weekday: 1, day: 1 }
/** An agent's answer for a part that was backed up successfully. */
export const good = (n: number) => ({
  snapshot: n.toString(16).padStart(64, '0'),
  bytes: 2000,
  added: 700,
  files: 9,
  problem: null,
})

/** A test app with a web server and a backup server, whose agents the test replaces. */
export async function openBackups() {
  const t = await openTestApp()
  const { token } = await t.somebody('admin', 'keeper')
  const web = await enrolled(t.app.db, 'web-1', { provisionedAt: new Date().toISOString(), address: '10.77.1.11' })
  const keeper = await enrolled(t.app.db, 'backup-1', { address: '10.77.1.12', type: 'backup' })
  await hearAlways(t.app.db)
  const webs = [web]
  const s = sitesOf(t, token, () => webs)
  const outputs: Record<string, unknown> = {
    'backup-program.ensure': { restic: '0.18.0', server: '0.13.0' },
    'backup-server.ensure': { certificate, fingerprint: 'ab'.repeat(32) },
    'backup-settings.run': { ...good(0xfff), bytes: 0, added: 0, files: 0, jobs: 0 },
  }
  /**
   * Answers all ready actions with the output in `outputs`; the operation `fails` fails with `reason`. The one named
   * `loses` is claimed and never answered.
   */
  async function work(
    fails?: string | ((op: Op) => boolean),
    reason = 'the disk is full',
    loses?: string,
  ): Promise<void> {
    for (let n = 0; n < 80; n++) {
      const [next] = await rows<{ server: number | null; lane: 'short' | 'long' }>(
        t.app.db,
        sql`select server_id as server, lane from actions where status = 'ready' order by action_id limit 1`,
      )
      const [op] = next ? await claim(t.app.db, next.server, next.lane, 1) : []
      if (!next || !op || op.name === loses) return
      const answer =
        (typeof fails === 'function' ? fails(op) : op.name === fails) && op.task === 'run'
          ? { status: 'failed' as const, reason }
          : { status: 'done' as const, output: outputs[op.name] ?? {} }
      await finish(t.app.db, next.server, [{ id: op.id, attempt: op.attempt, ...answer }])
    }
  }
  const made = await s.call('POST', '/backups/servers', { serverId: keeper, keep })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  const backupServer: number = made.body.data.id
  await work()
  /** Backs up a website; `answer` is the agent's answer for each part. */
  async function backUp(websiteId: number, answer: object, { fails, ...more }: { fails?: string; kind?: string } = {}) {
    outputs['backup-files.run'] = answer
    outputs['backup-database.run'] = answer
    const { body } = await s.call('POST', '/backups/backups', { websiteId, backupServerId: backupServer, ...more })
    await work(fails)
    return (await s.call('GET', `/backups/backups/${body.data.id}`)).body
  }
  /** Adds another web server. Returns its id. */
  async function other(name: string): Promise<number> {
    const id = await enrolled(t.app.db, name, { provisionedAt: new Date().toISOString(), address: '10.77.1.13' })
    await hearAlways(t.app.db)
    webs.push(id)
    return id
  }
  return { other, t, s, web, keeper, backupServer, outputs, work, backUp }
}
