import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { can } from './can.ts'
import { type Lab, openLab } from './lab.ts'
import { defaultDir } from './places.ts'

const usage = `Practice servers: Debian hosts in namespaces of this machine.

  npm run lab -- up NAME…             switch on (made the first time)
  npm run lab -- down NAME…           shut down in order
  npm run lab -- off NAME…            cut the power
  npm run lab -- cut|heal NAME…       pull the network cable, put it back
  npm run lab -- ready NAME…          wait until booted
  npm run lab -- exec NAME COMMAND…   run a command in it, as root
  npm run lab -- wipe NAME…           off, and its disk is gone
  npm run lab -- ls                   what there is
  npm run lab -- image                build the image, if it is not there
  npm run lab -- down-all             shut all down
`

type Verb = 'up' | 'down' | 'off' | 'cut' | 'heal' | 'ready' | 'wipe'
const verbs: readonly string[] = ['up', 'down', 'off', 'cut', 'heal', 'ready', 'wipe'] satisfies Verb[]

const [command = '', ...words] = process.argv.slice(2)
const needsNames = verbs.includes(command) || command === 'exec'
if (!needsNames && !['ls', 'image', 'down-all'].includes(command)) fail(usage, 2)
if (needsNames && words.length === 0) fail(usage, 2)
const verdict = await can(defaultDir())
if (!verdict.able) fail(`Practice servers are not available: ${verdict.reason}\n`, 3)

const lab = await openLab()
try {
  process.exitCode = await obey(lab)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
} finally {
  await lab.leave()
}

async function obey(open: Lab): Promise<number> {
  if (command === 'ls') return await list(open)
  if (command === 'image' || command === 'up')
    await open.image(({ text, done, total }) => process.stderr.write(`${done}/${total} ${text}\n`))
  if (command === 'image') return 0
  if (command === 'exec') return await execute(open)
  if (command === 'down-all') for (const name of await open.names()) await (await open.host(name)).down()
  else for (const name of words) await act(open, command as Verb, name) // looked up in `verbs` above
  return 0
}

async function act(open: Lab, verb: Verb, name: string): Promise<void> {
  if (verb !== 'up' && !(await open.names()).includes(name)) throw new Error(`There is no host ${name}`)
  const host = await open.host(name)
  await host[verb]()
  if (verb === 'up') process.stdout.write(`${name} ${host.address}\n`)
}

/** Connects this terminal to the command, and runs the package proxy meanwhile. */
async function execute(open: Lab): Promise<number> {
  const [name = '', ...argv] = words
  if (!(await open.names()).includes(name)) throw new Error(`There is no host ${name}`)
  const [program = '', ...args] = await (await open.host(name)).inside(argv.length > 0 ? argv : ['bash'])
  // Not spawnSync, because the proxy must answer meanwhile.
  const child = spawn(program, args, { stdio: 'inherit' })
  const [code] = await once(child, 'close')
  return Number(code ?? 1)
}

async function list(open: Lab): Promise<number> {
  for (const name of await open.names()) {
    const host = await open.host(name)
    const state = (await host.isOn()) ? `on, pid ${host.pid}` : 'off'
    process.stdout.write(`${name}\t${host.address}\t${state}\t${await host.diskMb()} MiB\n`)
  }
  return 0
}

function fail(text: string, code: number): never {
  process.stderr.write(text)
  process.exit(code)
}
