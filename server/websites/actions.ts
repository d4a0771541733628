import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@innkeeper/contract/agent'
import { domain } from '@innkeeper/contract/values'
import { and, eq, isNull, sql } from 'drizzle-orm'
import * as z from 'zod'
import { changed } from '../kit/live.ts'
import { action, onEnd } from '../kit/workflow.ts'
import { servers } from '../servers/tables.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { websites } from './tables.ts'

const short = { lane: 'short' as const }

action('system-user.ensure', operations['system-user.ensure'], {
  ...short,
  title: 'System user',
  what: ({ username, limits }) => `Linux account ${username}, ${limits.memoryMb} MB, ${limits.cpuPercent}% CPU`,
})
action('system-user.remove', operations['system-user.remove'], {
  ...short,
  title: 'System user',
  what: ({ username }) => `Linux account ${username} goes`,
})
action('document-root.ensure', operations['document-root.ensure'], {
  ...short,
  title: 'Document root',
  what: ({ path }) => path,
})
action('document-root.remove', operations['document-root.remove'], {
  ...short,
  title: 'Document root',
  what: ({ path }) => `${path} goes into the trash`,
})
action('php-pool.ensure', operations['php-pool.ensure'], {
  ...short,
  title: 'PHP pool',
  what: ({ phpVersion, maxChildren }) => `PHP ${phpVersion}, ${maxChildren} workers, own socket`,
})
action('php-pool.remove', operations['php-pool.remove'], {
  ...short,
  title: 'PHP pool',
  what: ({ username, phpVersion }) => `${username}-${phpVersion} goes`,
})
action('nginx-site.ensure', operations['nginx-site.ensure'], {
  ...short,
  title: 'nginx site',
  what: ({ domain, aliases, state }) =>
    state === 'active' ? `${[domain, ...aliases].join(', ')} on port 80` : `${domain} answers 503, ${state}`,
})
action('nginx-site.remove', operations['nginx-site.remove'], {
  ...short,
  title: 'nginx site',
  what: ({ domain }) => `${domain} is served no more`,
})

/** The last word: what the site itself answers over HTTP, asked from here. */
action('website.probe', z.object({ serverId: z.int(), domain, expect: z.enum(['served', 'suspended']) }), {
  ...short,
  title: 'Probe',
  what: ({ domain, expect }) =>
    expect === 'served' ? `GET http://${domain}/ answers` : `GET http://${domain}/ answers 503`,
  async run({ serverId, domain, expect }, { db, say, signal }) {
    const [server] = await db
      .select({ address: servers.address, name: servers.name })
      .from(servers)
      .where(eq(servers.id, serverId))
    if (!server?.address) throw new Error(`${server?.name ?? 'The server'} has no address to ask`)
    let last = ''
    for (let tries = 0; tries < 20 && !signal.aborted; tries++) {
      const answer = await ask(server.address, domain)
      last = answer.text
      say(`GET http://${domain}/ at ${server.address}: ${answer.text} in ${answer.ms} ms`)
      if (answer.status !== undefined && (expect === 'served' ? answer.status < 500 : answer.status === 503))
        return { status: answer.status, ms: answer.ms }
      await sleep(500, undefined, { signal }).catch(() => {}) // stopped: the loop ends
    }
    throw new Error(`http://${domain}/ was expected to be ${expect} and answers ${last}`)
  },
  undo: async () => undefined,
  inspect: async () => 'no', // asking once more is harmless
})

function ask(address: string, host: string): Promise<{ status?: number; text: string; ms: number }> {
  const began = performance.now()
  return new Promise((resolve) => {
    const end = (text: string, status?: number) => resolve({ text, status, ms: Math.round(performance.now() - began) })
    const asked = request(
      { host: address, port: 80, path: '/', headers: { host }, timeout: 5000, agent: false },
      (answer) => {
        answer.resume()
        end(String(answer.statusCode), answer.statusCode)
      },
    )
    asked.on('timeout', () => asked.destroy(new Error('no answer in 5 s')))
    asked.on('error', (error) => end(error.message))
    asked.end()
  })
}

type Status = (typeof websites.$inferSelect)['status']
/** What a website is while a workflow of a kind runs, when it is done, and when it was rolled back. */
const statuses: Record<string, { at: Status; done: Status; back: Status }> = {
  'website.create': { at: 'creating', done: 'active', back: 'deleted' },
  'website.delete': { at: 'deleting', done: 'deleted', back: 'active' },
  'website.suspend': { at: 'active', done: 'suspended', back: 'active' },
  'website.activate': { at: 'suspended', done: 'active', back: 'suspended' },
}

for (const [kind, { at, done, back }] of Object.entries(statuses))
  onEnd(kind, async (db, { subjectId }, outcome) => {
    const status = { running: at, failed: 'failed', done, 'rolled-back': back, cancelled: 'failed' } as const
    const next = status[outcome]
    const gone = next === 'deleted'
    const [site] = await db
      .update(websites)
      .set({
        status: next,
        version: sql`${websites.version} + 1`,
        updatedAt: sql`now()`,
        ...(gone && { deletedAt: sql`now()` }),
      })
      .where(and(eq(websites.id, subjectId), isNull(websites.deletedAt)))
      .returning({ systemUserId: websites.systemUserId })
    if (site && gone)
      await db
        .update(systemUsers)
        .set({ deletedAt: sql`now()` })
        .where(
          and(
            eq(systemUsers.id, site.systemUserId),
            sql`not exists (select from websites w where w.system_user_id = ${systemUsers.id} and w.deleted_at is null)`,
          ),
        )
    await changed(db, 'websites', subjectId)
  })
