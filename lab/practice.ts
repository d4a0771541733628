import { createInterface } from 'node:readline'
import { can } from './can.ts'
import { type Lab, openLab } from './lab.ts'
import { type Place, takePlace } from './place.ts'
import { defaultDir } from './places.ts'

/**
 * Runs the practice servers of Innkeeper, which starts this program with their names and exchanges JSON lines with it.
 * The servers run until that program says stop. If that program dies, they go on for a quarter of an hour: the next start takes them
 * over running, like servers of a data centre. Their disks stay. Exits with code 3 if practice servers are not possible.
 */
type Event =
  | { event: 'step'; text: string; done: number; total: number }
  | { event: 'host'; name: string; address: string; gateway: string }
  | { event: 'ran'; name: string; code: number; output: string }
  | { event: 'missing'; name: string; reason: string }
  | { event: 'unable'; reason: string }
  | { event: 'ready' }

/** `add` boots another practice server with an empty disk; `stop` powers all of them off. */
type Order = { run: string; argv: string[] } | { add: string } | { stop: true }

const isName = (name: string) => /^practice-[1-9]$/.test(name)
const names = process.argv.slice(2).filter(isName)
const stop = new AbortController()
const say = (event: Event) => process.stdout.write(`${JSON.stringify(event)}\n`)

process.stdout.on('error', () => {}) // the server has died, and standard input ends, too
process.on('SIGTERM', () => stop.abort())
process.on('SIGINT', () => stop.abort())
const orders = createInterface({ input: process.stdin })
orders.on('line', (line) => {
  if ('stop' in parse(line)) stop.abort() // at any time, also while the image is built
})
let place: Place | undefined
let inherited = false
orders.on('close', () => {
  // without a place to leave them, the hosts are powered off; nobody is left to be told
  if (!stop.signal.aborted) goOnAlone().catch(() => stop.abort())
})
const stopped = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve(), { once: true }))

let lab: Lab | undefined
try {
  const verdict = await can(defaultDir())
  if (!verdict.able) throw new Error(verdict.reason)
  place = await Promise.race([takePlace(defaultDir()), stopped.then(() => undefined)])
  lab = await openLab()
  await Promise.race([serve(lab), stopped])
} catch (error) {
  if (!stop.signal.aborted) {
    say({ event: 'unable', reason: error instanceof Error ? error.message : String(error) })
    process.exitCode = 3
  }
}
if (inherited) await lab?.leave()
else await lab?.close()
process.exit() // also ends a running image build or command

/** The server has died without a word: its practice servers wait for the next one. */
async function goOnAlone(): Promise<void> {
  inherited = (await place?.heir()) ?? false
  stop.abort()
}

async function serve(open: Lab): Promise<void> {
  if (open.inMemory) {
    const text = 'The disks of the practice servers are in memory: the data folder is on an overlay file system'
    say({ event: 'step', text, done: 0, total: 1 })
  }
  await open.image((step) => say({ event: 'step', ...step }), stop.signal)
  orders.on('line', (line) => void obey(open, line))
  for (const name of names) await open.host(name) // one after another, so that addresses follow the order
  await Promise.all([...names].map((name) => raise(open, name).catch((error: unknown) => leaveOut(name, error))))
  say({ event: 'ready' })
  await stopped
}

async function raise(open: Lab, name: string): Promise<void> {
  const { address, gateway } = await open.up(name)
  say({ event: 'host', name, address, gateway })
}

async function obey(open: Lab, line: string): Promise<void> {
  const order = parse(line)
  if ('stop' in order) return
  if ('add' in order) return add(open, order.add)
  try {
    if (!names.includes(order.run)) throw new Error(`Not understood: ${line}`)
    const host = await open.host(order.run)
    const { code, stdout, stderr } = await host.exec(order.argv, { timeoutMs: 300_000 })
    say({ event: 'ran', name: order.run, code, output: stdout + stderr })
  } catch (error) {
    if (stop.signal.aborted) return
    say({ event: 'ran', name: order.run, code: 1, output: error instanceof Error ? error.message : String(error) })
  }
}

async function add(open: Lab, name: string): Promise<void> {
  try {
    names.push(name)
    await (await open.host(name)).wipe() // a deleted server of this name has left its disk
    await raise(open, name)
  } catch (error) {
    leaveOut(name, error)
  }
}

/** One host that does not start stops no other. */
function leaveOut(name: string, error: unknown): void {
  if (stop.signal.aborted) return
  names.splice(names.indexOf(name), 1)
  say({ event: 'missing', name, reason: error instanceof Error ? error.message : String(error) })
}

/** Parses an order. An invalid order has no host, which the caller refuses. */
function parse(line: string): Order {
  const none = { run: '', argv: [] }
  try {
    const { run, argv, add: name, stop: isLast } = JSON.parse(line) as Record<string, unknown> // validated below
    if (isLast === true) return { stop: true }
    if (typeof name === 'string' && isName(name) && !names.includes(name)) return { add: name }
    const words = Array.isArray(argv) && argv.every((word) => typeof word === 'string') ? argv : undefined
    return typeof run === 'string' && words ? { run, argv: words } : none
  } catch {
    return none // not JSON
  }
}
