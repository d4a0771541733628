import { createHash } from 'node:crypto'
import type { ConfigAuthor } from '@innkeeper/contract/agent/configs'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { dice } from '../../seed/dice.ts'
import * as tables from '../../tables.ts'
import { currentFiles, differencesOf } from './collections/changes.ts'
import { save } from './collections/save.ts'

const site = (root: string, more = '') => `# Written by Innkeeper. Changes are overwritten.
# state: active
server {
  include /etc/nginx/innkeeper/listen.conf;
  server_name fjordhandel.example www.fjordhandel.example;
  root ${root};
  index index.php index.html;
${more}}
`
const path = '/etc/nginx/innkeeper/sites/fjordhandel.example.conf'
const byHand = '/etc/nginx/conf.d/status.conf'
interface Step {
  daysAgo: number
  files: [path: string, text: string, by: ConfigAuthor][]
}
const main: Step['files'][number] = [
  '/etc/nginx/nginx.conf',
  'user www-data;\nworker_processes auto;\npid /run/nginx.pid;\n',
  'package',
]
/** A website changes its folder, somebody adds a status page, and somebody edits a file of Innkeeper. */
const steps: readonly Step[] = [
  { daysAgo: 21, files: [main, [path, site('/home/fjord/fjordhandel.example/public'), 'innkeeper']] },
  { daysAgo: 12, files: [main, [path, site('/home/fjord/fjordhandel.example/web'), 'innkeeper']] },
  {
    daysAgo: 6,
    files: [
      main,
      [path, site('/home/fjord/fjordhandel.example/web'), 'innkeeper'],
      [byHand, 'server {\n  listen 127.0.0.1:8080;\n  location /status { stub_status; }\n}\n', 'person'],
    ],
  },
  {
    daysAgo: 1,
    files: [
      main,
      [path, site('/home/fjord/fjordhandel.example/web', '  client_max_body_size 900m;\n'), 'person'],
      [byHand, 'server {\n  listen 127.0.0.1:8080;\n  location /status { stub_status; }\n}\n', 'person'],
    ],
  },
]

/** Adds versions of nginx on some web servers, the log of their collections, and resets, without asking an agent. */
export async function seedConfigs(
  db: Db,
  say: (line: string) => void,
  now = Date.parse('2026-11-21T09:00:00Z'),
): Promise<void> {
  const servers = await db
    .select()
    .from(tables.servers)
    .where(eq(tables.servers.type, 'web'))
    .orderBy(tables.servers.id)
    .limit(4)
  const d = dice(45)
  const at = (daysAgo: number, n: number) =>
    new Date(now - daysAgo * 86_400_000 + n * 1_200_000 - 23_000_000).toISOString()
  await db.transaction(async (tx) => {
    for (const [n, { id, name }] of servers.entries()) {
      const known = n === 0 ? steps : steps.slice(0, 2 + (n % 2))
      for (const { daysAgo, files: given } of known) {
        const when = at(daysAgo, n)
        const texts = new Map(given.map(([, text]) => [hashOf(text), Buffer.from(text).toString('base64')]))
        const files = given.map(([file, text, by]) => ({
          ...{
            path: file,
            service: 'nginx' as const,
            kind: 'file' as const,
            hash: hashOf(text),
            seal: null,
            hidden: null,
          },
          ...{ size: text.length, mode: 0o644, owner: 'root', group: 'root', target: null, by },
          ...{ package: by === 'package' ? 'nginx-common' : null, changedAt: at(daysAgo, n - 2) },
        }))
        const differences = differencesOf(await currentFiles(tx, id), files)
        const server = { id, name }
        await save(tx, { server, trigger: 'nightly', files, differences, contents: texts, removers: new Map() })
        await tx.update(tables.configVersions).set({ collectedAt: when }).where(sql`server_id = ${id} and current`)
        await tx.insert(tables.configCollections).values({
          ...{
            serverId: id,
            serverName: name,
            trigger: 'nightly' as const,
            by: 'Innkeeper',
            startedAt: when,
            endedAt: when,
          },
          ...{
            result: 'success' as const,
            files: 1180 + d.below(90),
            changed: differences.length,
            bytes: 2400,
            versions: 1,
          },
        })
      }
      const collected = { nextAt: '2999-01-01T00:00:00Z', collectedAt: at(1, n) }
      await tx
        .insert(tables.configServers)
        .values({ serverId: id, ...collected })
        // the worker of a running product adds a row for each new server
        .onConflictDoUpdate({ target: tables.configServers.serverId, set: collected })
    }
    const [server] = servers
    const [version] = await tx.select().from(tables.configVersions).where(sql`number = 2`).limit(1)
    if (!server || !version) return
    const about = {
      versionId: version.id,
      serverId: server.id,
      serverName: server.name,
      service: 'nginx' as const,
      number: 2,
    }
    await tx.insert(tables.configResets).values([
      { ...about, ...reset(at(5, 3)), status: 'done' as const, startedBy: 'Ingrid Solberg' },
      {
        ...{ ...about, ...reset(at(4, 9)), status: 'failed' as const, startedBy: 'Erik Lindqvist' },
        message: 'Reset configuration: nginx reads the files, but fjordhandel.example answers 502 instead of 200',
      },
    ])
  })
  say(`${servers.length} servers with versions of their configuration`)
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const reset = (when: string) => ({ action: 'vhost' as const, files: 2, startedAt: when, endedAt: when })
