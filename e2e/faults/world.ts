import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Website } from '@innkeeper/contract/hosting/websites'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { idOf } from '@innkeeper/lab/places'
import { run } from '@innkeeper/lab/run'
import pg from 'pg'
import { type Postgres, postgres } from '../../bin/machine.ts'
import { lockFolder } from '../../server/kit/db/folderLock.ts'
import { enrol } from '../hosts.ts'
import { Innkeeper, launch, scratch } from '../innkeeper.ts'
import { created } from '../sites.ts'
import { clearDisk, type Disk, smallDisk } from './disk.ts'
import { Life } from './life.ts'

/** A managed server: its host and id. */
export interface Managed {
  id: number
  host: Host
}
/** A website and the answer that visitors should get. */
export interface Site {
  website: Website
  server: Managed
  state: 'active' | 'suspended'
  /** Exists from beginning to end, and no workflow of the test changes it. */
  steady: boolean
}
export interface World {
  api: Innkeeper
  worker: Life
  /** Folder of PostgreSQL's data. */
  database: Postgres['commands']
  /** The disk of PostgreSQL and Innkeeper. */
  disk: Disk
  servers: Managed[]
  sites: Map<string, Site>
  /** Reads rows directly from PostgreSQL. Rejects while PostgreSQL is down. */
  look<T extends object>(statement: string, values?: unknown[]): Promise<T[]>
  close(): Promise<void>
}

const names = ['storm1', 'storm2']
const serverMb = 300

/**
 * PostgreSQL, API and worker as separate processes, two hosts with agents, and a permanent website on each. `hostMb` is
 * the size of a host's disk in MiB; the light kinds need 400.
 */
export async function openWorld({ hostMb }: { hostMb: number }): Promise<World> {
  const closing: (() => unknown)[] = []
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end()
  }
  try {
    const dir = join(scratch, 'storm')
    mkdirSync(dir, { recursive: true })
    closing.push(lockFolder(dir)) // a second run would use the same hosts
    const lab = await openLab({ dir })
    closing.push(() => lab.close())
    // a path that PostgreSQL's own user can reach
    const disk = { folder: join(tmpdir(), `innkeeper-storm-${idOf(dir)}`), exec: run }
    await smallDisk(disk.folder, serverMb)
    closing.push(() => clearDisk(disk.folder))
    const database = postgres({ place: disk.folder, settings: ['min_wal_size=32MB', 'max_wal_size=96MB'] })
    if (!database) throw new Error('No PostgreSQL of version 15 or later on this machine')
    closing.push(() => database.stop())
    const pool = new pg.Pool({ connectionString: database.url, max: 3, application_name: 'storm' })
    pool.on('error', () => {}) // the test kills PostgreSQL on purpose
    closing.push(() => pool.end())
    const api = await Innkeeper.open({
      database: database.url,
      place: disk.folder,
      args: ['--role=api'],
      publicHost: lab.network.gateway,
    })
    closing.push(() => api.close())
    const worker = new Life((more) => launch({ ...api.env, ...more }, [], ['--role=worker']))
    closing.push(() => worker.kill())
    worker.start()
    const servers: Managed[] = []
    for (const name of names) {
      await (await lab.host(name)).off()
      const folder = join(dir, 'hosts', name)
      await smallDisk(folder, hostMb, 700)
      closing.push(async () => {
        await (await lab.host(name)).off()
        await clearDisk(folder)
      })
      const host = await lab.up(name)
      servers.push({ id: await enrol(api, host), host })
    }
    const sites = new Map<string, Site>()
    for (const server of servers) {
      const website = await created(api, server.id, `steady-${server.host.name}.example`)
      sites.set(website.domain, { website, server, state: 'active', steady: true })
    }
    return {
      api,
      worker,
      database: database.commands,
      disk,
      servers,
      sites,
      async look<T extends object>(statement: string, values: unknown[] = []) {
        return (await pool.query<T>(statement, values)).rows
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Before the fault: the host may also become an edge and a name server. */
export async function asAllInOne({ api }: World, { id }: Managed): Promise<void> {
  const { type } = await api.must('GET', `/cloud-management/servers/view/${id}`)
  if (type !== 'all-in-one') await api.must('PATCH', `/cloud-management/servers/${id}`, { type: 'all-in-one' })
}
