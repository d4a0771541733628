import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { must } from '@innkeeper/lab/run'
import pg from 'pg'
import { postgres } from '../../bin/machine.ts'
import { letPass } from '../../bin/pass.ts'
import { password, scratch } from '../innkeeper.ts'
import { knock, pinOf } from '../nodes/agent.ts'
import { signIn } from '../nodes/cluster.ts'
import { call, type Ear, listen, type Node, ready, startNode } from '../nodes/node.ts'
import { until } from '../until.ts'
import { isWhole, openStore, type UploadedFile, upload } from './store.ts'

const [PEOPLE, SERVERS, WRITES] = [6, 6, 60]
/** How long an operation takes, so that some are under way when the primary is killed. */
const OPERATION_MS = 300
/** Sockets hear of changes again this soon after the promotion. */
const SOON_MS = 2000

/** An address that follows the primary, as keepalived or HAProxy beside Patroni give one. */
async function openAddress(first: number) {
  let target = first
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect(target, '127.0.0.1')
    for (const socket of [client, database]) {
      open.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          open.delete(socket)
          client.destroy()
          database.destroy()
        })
    }
    client.pipe(database).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  return {
    port: address.port,
    follow(port: number) {
      target = port
      for (const socket of open) socket.destroy()
    },
    close() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

interface Op {
  id: number
  attempt: number
  task: string
  inspect: boolean
}

/** An agent that keeps what it has done, as drivers find it on their machine, and does nothing twice unless it is told to. */
function playAgent(ports: readonly number[], credential: string, twice: (what: string) => void) {
  const effects = new Set<string>()
  let going = true
  let turn = 0
  const ask = (path: string, body: unknown) => knock(ports[turn++ % ports.length]!, path, credential, body, 10_000)
  const perform = async ({ id, attempt, task, inspect }: Op) => {
    const key = `${task} ${id}`
    if (effects.has(key) && !inspect) twice(`action ${id} was handed out again without a look`)
    effects.add(key)
    await letPass(OPERATION_MS, 'an operation takes a moment')
    const answers = [{ id, attempt, status: 'done' }]
    while (going && (await ask('/agent/report', { held: [], chunks: [], answers })).status !== 200)
      await letPass(50, 'between two reports')
  }
  const claiming = async (lane: string) => {
    while (going) {
      const { status, body } = await ask('/agent/claim', { lane, free: 4 })
      if (status === 200) await Promise.all(body.ops.map(perform))
      else await letPass(50, 'between two claims')
    }
  }
  const loops = ['short', 'long', 'read'].map(claiming)
  return {
    done: () => effects.size,
    async stop() {
      going = false
      await Promise.all(loops)
    },
  }
}

/**
 * Two API nodes, two workers, a primary, a synchronous standby that answers lists, all processes of their own, and files in S3.
 * The primary is killed under load and the standby promoted. Answers what is violated: acknowledged writes and files are there,
 * a list shows what was written before, sockets hear of changes within 2 s, and no action runs twice.
 */
export async function promotion(say: (line: string) => void): Promise<string[]> {
  const violations: string[] = []
  const primary = postgres()
  if (!primary) throw new Error('PostgreSQL is not installed')
  const closing: (() => unknown)[] = [() => primary.stop()]
  try {
    const address = await openAddress(primary.port)
    closing.push(() => address.close())
    mkdirSync(scratch, { recursive: true })
    const data = mkdtempSync(join(scratch, 'promotion-'))
    closing.push(() => rmSync(data, { recursive: true, force: true }))
    const standby = primary.standby('synchronous')
    closing.push(() => standby.stop())
    const store = await openStore(join(data, 's3'))
    closing.push(() => store.close())
    const env = {
      ...store.settings,
      INNKEEPER_PRIVATE_TARGETS: '127.0.0.0/8',
      DATABASE_REPLICA_URL: standby.url,
      DATABASE_URL: `postgres://postgres@127.0.0.1:${address.port}/postgres`,
      INNKEEPER_KEY: 'a key for this trial only',
      INNKEEPER_DATA: data,
      INNKEEPER_ADMIN_PASSWORD: password,
      INNKEEPER_LOG: 'warn',
    }
    const nodes = await Promise.all((['api', 'api', 'worker', 'worker'] as const).map((role) => startNode(role, env)))
    closing.push(() => Promise.all(nodes.map((node) => node.signal('SIGKILL'))))
    const apis = nodes.slice(0, 2)
    await Promise.all(apis.map(ready))
    const token = await signIn(apis[0]!, 'admin')

    const acknowledged: string[] = []
    let going = true
    let listed = 0
    const people = Array.from({ length: PEOPLE }, async (_, n) => {
      for (let i = 0; going; i++) {
        const name = `person ${n} ${i}`
        const body = { name, email: `p${n}x${i}@example.org` }
        const answer = await call(apis[(n + i) % 2]!.port, 'POST', '/api/owners', token, body).catch(() => undefined)
        if (answer?.status === 201) {
          acknowledged.push(name)
          const path = `/api/groups/owners?search=${body.email}`
          const list = await call(apis[n % 2]!.port, 'GET', path, token).catch(() => undefined)
          if (list?.status !== 200) continue
          listed++
          if (list.body.items[0]?.id !== answer.body.id)
            violations.push(`a list lacked ${name}, which was written before`)
        } else await letPass(20, 'between two tries')
      }
    })
    const files: UploadedFile[] = []
    const uploads = async () => {
      for (let i = 0; going; i++) {
        const file = await upload(apis[i % 2]!.port, token, `file ${i}`)
        if (file) files.push(file)
        else await letPass(20, 'between two tries')
      }
    }
    people.push(uploads())
    const more = (n: number) => until(`${n} writes`, async () => acknowledged.length >= n || undefined)
    await more(WRITES)
    const agents = await Promise.all(
      Array.from({ length: SERVERS }, (_, n) => enrol(apis, token, n, (what) => violations.push(what))),
    )
    const performed = () => agents.reduce((sum, agent) => sum + agent.done(), 0)
    await until('operations are under way', async () => performed() > 0 || undefined, 10)
    const doneBefore = performed()

    await must(primary.commands.crash)
    const lost = performance.now()
    await must(standby.promote)
    address.follow(standby.port)
    const promoted = performance.now()
    const soon = await Promise.all(apis.map((node) => hearsAgain(node, token, promoted)))
    await more(acknowledged.length + WRITES)
    await until('the agents go on', async () => {
      const { rows } = await query(standby.url, "select 1 from workflows where ended_at is null and status = 'running'")
      return rows.length === 0 || undefined
    })
    going = false
    await Promise.all(people)
    await Promise.all(agents.map((agent) => agent.stop()))

    const { rows } = await query(standby.url, 'select name from owners')
    const kept = new Set(rows.map(({ name }: { name: string }) => name))
    const missing = acknowledged.filter((name) => !kept.has(name))
    if (missing.length)
      violations.push(`${missing.length} acknowledged writes are lost: ${missing.slice(0, 5).join(', ')}`)
    const whole = await Promise.all(files.map((file, n) => isWhole(apis[n % 2]!.port, token, file)))
    const torn = whole.filter((is) => !is).length
    if (torn) violations.push(`${torn} of ${files.length} acknowledged files are lost`)
    const reads = await Promise.all(apis.map(({ port }) => listsFrom(port)))
    if (!files.length) violations.push('no file was acknowledged')
    if (!listed) violations.push('no list was compared with the writes before it')
    if (reads.some((n) => n === 0)) violations.push('a node read no list from the standby')
    for (const ms of soon)
      if (ms > SOON_MS) violations.push(`a socket heard of changes only ${Math.round(ms)} ms after the promotion`)
    const done = performed()
    if (done === doneBefore) violations.push('no operation was under way when the primary was killed')
    say(
      `promotion: ${acknowledged.length} acknowledged writes, ${missing.length} lost; ${files.length} files, ${torn} lost; ${reads.join(' and ')} lists from the standby; sockets hear again after ` +
        `${soon.map((ms) => Math.round(ms)).join(' and ')} ms; ${doneBefore} operations before and ${done - doneBefore} after; ` +
        `promoted in ${Math.round(promoted - lost)} ms`,
    )
    return violations
  } finally {
    for (const close of closing.reverse()) await close()
  }
}

/** Number of lists that the standby has answered to this node. */
async function listsFrom(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(/^innkeeper_replica_reads_total\{from="standby"\} (\d+)$/m.exec(text)?.[1] ?? 0)
}

/** Milliseconds from the promotion until a socket of the node hears of a change. */
async function hearsAgain(node: Node, token: string, since: number): Promise<number> {
  for (;;) {
    const ear = await listen(node.port, token).catch(() => undefined)
    const heard = ear && (await firstHint(ear))
    ear?.close()
    if (heard) return Math.max(0, heard - since)
    if (performance.now() - since > 60_000) return Number.POSITIVE_INFINITY
    await letPass(20, 'between two tries')
  }
}

async function firstHint(ear: Ear): Promise<number | undefined> {
  while (ear.isOpen()) {
    const hint = ear.heard.find(({ event, data }) => event === 'changed' && data.domain === 'owners')
    if (hint) return hint.at
    await letPass(10, 'until a hint comes')
  }
  return undefined
}

async function enrol(apis: readonly Node[], token: string, n: number, twice: (what: string) => void) {
  const [first] = apis
  const body = { name: `promoted-${n}`, type: 'web' }
  const made = await call(first!.port, 'POST', '/api/cloud-management/servers', token, body)
  if (made.status !== 201) throw new Error(`no server: ${made.status} ${JSON.stringify(made.body)}`)
  const ticket = /Bearer ([\w-]+)/.exec(made.body.enrolment.command)?.[1]
  const credential = `a-credential-that-is-long-enough-${n}`
  const ports = apis.map(({ port }) => port + 43)
  await pinOf(ports[0]!)
  await knock(ports[0]!, '/agent/enrol', '', { token: ticket, credential, hostname: `promoted-${n}` })
  return playAgent(ports, credential, twice)
}

async function query(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}
