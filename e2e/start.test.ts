import { type ChildProcess, execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isWhole } from '../bin/slice.ts'
import { dice } from '../server/seed/dice.ts'
import { onHosts } from './hosts.ts'
import { freePorts, Innkeeper, launch, password, repository, scratch } from './innkeeper.ts'
import { Disk } from './powerCut.ts'
import { addOwner, ends, visit } from './sites.ts'
import { until } from './until.ts'

interface Ran {
  child: ChildProcess
  said: () => string
  ended: Promise<number | null>
}

function run(env: Record<string, string>, before: string[] = []): Ran {
  const child = launch(env, before)
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part: Buffer) => {
      text += part.toString()
    })
  return { child, said: () => text, ended: new Promise((resolve) => child.once('close', resolve)) }
}

const listen = (port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, '0.0.0.0', () => resolve(server))
  })

describe('node server/main.js', () => {
  let folder: string
  const started: Ran[] = []
  const servers: Server[] = []
  beforeAll(() => {
    mkdirSync(scratch, { recursive: true })
  })
  afterEach(async () => {
    for (const server of servers.splice(0)) server.close()
    for (const { child, ended } of started.splice(0)) {
      child.kill('SIGKILL')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  })

  const begin = async (port: number, more: Record<string, string> = {}, before: string[] = []) => {
    const ran = run({ PORT: String(port), INNKEEPER_DATA: folder, INNKEEPER_PRACTICE: 'off', ...more }, before)
    started.push(ran)
    return ran
  }
  const ready = (port: number) =>
    until(`${port} is ready`, async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok)

  test.for([0, 43])('reports a busy port (PORT + %i) and exits with 1', async (offset) => {
    folder = mkdtempSync(join(scratch, 'busy-'))
    const port = await freePorts()
    servers.push(await listen(port + offset))
    const { ended, said } = await begin(port)
    expect(await ended).toBe(1)
    expect(said()).toContain(`Port ${port + offset} is in use.`)
    expect(said()).not.toMatch(/\n\s+at /) // no stack trace
  })

  test('a second process on the same data reports the first one and exits', async () => {
    folder = mkdtempSync(join(scratch, 'second-'))
    const port = await freePorts()
    const first = await begin(port)
    await ready(port)
    const second = await begin(await freePorts())
    expect(await second.ended).toBe(1)
    expect(second.said()).toContain(`is in use by process ${first.child.pid}`)
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
  })

  test('prints its address, prints the first password once, stops within 2 s after Ctrl-C, and starts again', async () => {
    folder = mkdtempSync(join(scratch, 'again-'))
    const port = await freePorts()
    const first = await begin(port)
    await ready(port)
    await until('the address is printed', async () => first.said().includes(`http://localhost:${port}`))
    const secret = /password (\S+)/.exec(first.said())?.[1]
    const answer = await fetch(`http://127.0.0.1:${port}/api/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user: 'admin', password: secret }),
    })
    expect(answer.status).toBe(200)
    const began = performance.now()
    first.child.kill('SIGINT')
    expect(await first.ended).toBe(0)
    expect(performance.now() - began).toBeLessThan(2000)
    const second = await begin(port)
    await ready(port)
    await until('the address is printed', async () => second.said().includes(`http://localhost:${port}`))
    expect(second.said()).not.toContain('password')
  })

  const root = process.getuid?.() === 0
  test('starts without root', { skip: !root, meta: { why: 'needs root' } }, async () => {
    folder = mkdtempSync(join(tmpdir(), 'innkeeper-unprivileged-'))
    const nobody = Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' }))
    chownSync(folder, nobody, nobody)
    const port = await freePorts()
    const env = { INNKEEPER_PRACTICE: 'on', HOME: folder }
    const { said } = await begin(port, env, [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'])
    await ready(port)
    const secret = await until('it prints a password', async () => /password (\S+)/.exec(said())?.[1])
    const call = async (path: string, token: string, body?: unknown) => {
      const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      return answer.json()
    }
    const { token } = await call('/auth/token', '', { user: 'admin', password: secret })
    const practice = await until('the practice servers report the reason', async () => {
      const now = await call('/cloud-management/practice', token)
      return now.state === 'unable' && now
    })
    expect(practice.text).toContain('root')
  })
})

describe('npm start with practice servers', onHosts, () => {
  let innkeeper: Innkeeper
  beforeAll(async () => {
    const images = process.env.INNKEEPER_LAB_IMAGE ?? join(repository, 'data/lab/image')
    innkeeper = await Innkeeper.open({
      embedded: true,
      env: { INNKEEPER_PRACTICE: 'on', INNKEEPER_LAB_IMAGE: images },
    })
  })
  afterAll(() => innkeeper?.close())

  /** Mounts and network links of these hosts' lab on this machine. */
  const left = () => {
    const { subnet } = JSON.parse(readFileSync(join(innkeeper.dataDir, 'lab/network.json'), 'utf8'))
    const links = execFileSync('ip', ['-brief', 'link'], { encoding: 'utf8' }).split('\n')
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
    return [
      ...links.filter((line) => new RegExp(`^ink${subnet}(-|\\s)`).test(line)),
      ...mounts.filter((line) => line.includes(`${innkeeper.dataDir}/lab/hosts/`)),
    ]
  }

  test('two practice servers start automatically, and PORT + 80 shows a new website', async () => {
    await until('the practice servers are ready', async () => {
      const { state, text } = await innkeeper.must('GET', '/cloud-management/practice')
      if (state === 'unable') throw new Error(text)
      return state === 'ready'
    })
    const servers = await until('both are provisioned', async () => {
      const { items } = await innkeeper.must('GET', '/cloud-management/servers')
      return items.length === 2 && items.every((s: { provisioned: boolean }) => s.provisioned) && items
    })
    const wanted = { originServer: servers[0].id, domain: 'hello.example', plan: 'Start' }
    const userId = await addOwner(innkeeper)
    const began = performance.now()
    const { workflowId } = await innkeeper.must('POST', '/websites', { ...wanted, userId })
    const page = await until('the new website answers 200', async () => {
      const answer = await visit('127.0.0.1', 'hello.example.localhost', '/', innkeeper.port + 80)
      return answer.status === 200 && answer
    })
    const ms = Math.round(performance.now() - began)
    console.log(`create to first 200 on a warm host: ${ms} ms`)
    expect(ms).toBeLessThanOrEqual(5000)
    await ends(innkeeper, workflowId, 'done')
    expect(page.body).toContain('<h1>hello.example</h1>')
    expect((await visit('127.0.0.1', 'absent.example.localhost', '/', innkeeper.port + 80)).status).toBe(404)
  })

  test('a practice server of another type is added and provisioned', async () => {
    await innkeeper.must('POST', '/cloud-management/practice', { type: 'backup' })
    await until('practice-3 is provisioned', async () => {
      const { items } = await innkeeper.must('GET', '/cloud-management/servers')
      const added = items.find((s: { name: string }) => s.name === 'practice-3')
      return added?.type === 'backup' && added.provisioned
    })
  })

  test('Ctrl-C stops Innkeeper within 2 s, and no practice server keeps running', async () => {
    expect(left().length).toBeGreaterThan(0)
    const { code, ms } = await innkeeper.signal('SIGINT')
    console.log(`Ctrl-C with two practice servers: ${Math.round(ms)} ms`)
    expect(code).toBe(0)
    expect(ms).toBeLessThan(2000)
    expect(left()).toEqual([])
  })

  test('after kill -9 the practice servers go on, and the next start takes them over', async () => {
    const comesBack = async () => {
      await innkeeper.start()
      innkeeper.token = await innkeeper.signIn('admin', password)
      const ready = async () => (await innkeeper.must('GET', '/cloud-management/practice')).state === 'ready'
      await until('the practice servers are ready again', ready)
      await until('practice-3 is back', async () => {
        const { items } = await innkeeper.must('GET', '/cloud-management/servers')
        return items.some((s: { name: string; observed: string }) => s.name === 'practice-3' && s.observed === 'online')
      })
      await until('the site is back', async () => {
        const { status } = await visit('127.0.0.1', 'hello.example.localhost', '/', innkeeper.port + 80)
        return status === 200
      })
    }
    await comesBack()
    await innkeeper.kill()
    expect(left().length).toBeGreaterThan(0)
    await comesBack()
    expect((await innkeeper.signal('SIGINT')).code).toBe(0)
    expect(left()).toEqual([])
  })
})

describe('a power cut', onHosts, () => {
  const seed = Number(process.env.SEED ?? 81)
  const { below, chance } = dice(seed)
  let disk: Disk
  let innkeeper: Innkeeper
  beforeAll(async () => {
    mkdirSync(scratch, { recursive: true })
    disk = new Disk(join(scratch, 'power'))
    innkeeper = await Innkeeper.open({ embedded: true, place: disk.folder })
  })
  afterAll(async () => {
    await innkeeper?.kill()
    disk?.close()
  })

  /** Names of departments, and contents of files by path, that were acknowledged. */
  const kept = { departments: new Set<string>(), files: new Map<string, string>() }
  let written = 0
  async function write(): Promise<void> {
    const name = `${seed} ${++written} x${'x'.repeat(below(80))}`
    if (chance(0.7)) {
      const { status } = await innkeeper.call('POST', '/auth/departments', { name })
      if (status === 201) kept.departments.add(name)
      return
    }
    const form = new FormData()
    form.set('isPrivate', 'false')
    form.set('files', new Blob([name]), `${written}.txt`)
    const headers = { authorization: `Bearer ${innkeeper.token}` }
    const url = `${innkeeper.url}/api/internal-file-manager/upload-files`
    const answer = await fetch(url, { method: 'POST', headers, body: form })
    if (answer.status === 201) kept.files.set((await answer.json())[0].path, name)
  }

  /**
   * Cuts the power, and answers what programs saw at that moment. The process stands still meanwhile: a page that it synced
   * after we looked would be torn back to its former content, which no disk does.
   */
  function cutPower(): Map<string, Buffer> {
    process.kill(innkeeper.pid!, 'SIGSTOP')
    const seen = disk.contents('data-*/db/base/**/*')
    disk.cut()
    return seen
  }

  /**
   * Writes until the power is cut after some answers, and is back. The other requests are under way at that moment, and some
   * pages stand half on the disk. Answers how many.
   */
  async function writeUntilCut(answers: number): Promise<number> {
    let isCut = false
    const writer = async () => {
      while (!isCut) await write().catch(() => {}) // the process lost its disk
    }
    let seen = new Map<string, Buffer>()
    const cut = until('enough is written', async () => written >= answers, 1).then(() => {
      disk.writeSome('data-*/db/{base,global,pg_xact}/**/*', () => chance(0.3))
      seen = cutPower()
      isCut = true
    })
    const writers = Array.from({ length: 3 }, writer)
    await cut
    await innkeeper.kill()
    await Promise.all(writers)
    disk.back()
    return disk.tear(seen, () => chance(0.5))
  }

  /**
   * Starts Innkeeper after a cut, which replays what was written, and cuts the power again once the database has noted its
   * state for the given time. The kernel has written that note by then, and not all pages. Answers how many are torn.
   */
  async function cutStart(notes: number): Promise<number> {
    const [control] = [...disk.contents('data-*/db/global/pg_control').keys()]
    let before = readFileSync(control!)
    let isReady = false
    const starting = innkeeper.start().then(
      () => {
        isReady = true
      },
      () => {}, // the process loses its disk
    )
    for (let n = 0; n < notes; n++)
      await until(
        'the database notes its state',
        async () => {
          const now = readFileSync(control!)
          const isNew = !now.equals(before)
          before = now
          return isNew || isReady // two notes may come between two looks
        },
        1,
      )
    disk.writeSome('data-*/db/global/pg_control', () => true)
    const seen = cutPower()
    await innkeeper.kill()
    await starting
    disk.back()
    return disk.tear(seen, () => chance(0.5))
  }

  async function expectKept(): Promise<void> {
    const found = new Set<string>()
    for (let page = 1, pages = 1; page <= pages; page++) {
      const { items, total } = await innkeeper.must('GET', `/auth/departments?itemsPerPage=200&page=${page}`)
      for (const { name } of items) found.add(name)
      pages = Math.ceil(total / 200)
    }
    expect([...kept.departments].filter((name) => !found.has(name))).toEqual([])
    for (const [path, content] of kept.files) {
      const { body } = await innkeeper.call('GET', `/internal-file-manager/public/${path}`)
      expect(body, path).toBe(content)
    }
  }

  test(`loses no acknowledged write of the embedded database, and no uploaded file (SEED=${seed})`, {
    timeout: isWhole ? 3_000_000 : 1_800_000,
  }, async () => {
    let torn = 0
    for (let cut = 0; cut < (isWhole ? 50 : 3); cut++) {
      torn += await writeUntilCut(written + below(cut % 3 ? 40 : 3)) // often within the first second after a start
      torn += await cutStart(1 + (cut % 3))
      await innkeeper.start()
      innkeeper.token = await innkeeper.signIn('admin', password)
      await expectKept()
    }
    console.log(`kept ${kept.departments.size} rows and ${kept.files.size} files over ${torn} torn pages`)
  })
})
