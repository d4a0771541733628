import { lookup } from 'node:dns/promises'
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { hasSystemd, must, places, reloadUnits, remove, replace, run } from '../../kit/host.ts'
import { readSettings } from '../../settings.ts'
import { type Entry, entryIn, isLive, portsOf, seconds, setFolder } from './ipSetFile.ts'
import { keepLoader, table, textOf, unitText } from './ipSetLoader.ts'

const unit = 'innkeeper-ip-sets'
const unitFile = `/etc/systemd/system/${unit}.service`
const families = [4, 6] as const
/**
 * The nftables set for an entry. Single addresses are in a hash set, which nft changes without reading it. Networks are
 * in an interval set, which nft reads first: half a second for 50,000 entries.
 */
const setOf = (set: string, { first, last }: Entry) =>
  `${nameIn(set, first.startsWith('4') ? 4 : 6)}${first === last ? '' : '_nets'}`
const nameIn = (set: string, family: 4 | 6) => `${set}_v${family}`
/** The nftables sets of an IP set. */
export const setsOf = (set: string) =>
  families.flatMap((family) => [nameIn(set, family), `${nameIn(set, family)}_nets`])
/**
 * An element that is always in the table. Each change deletes and adds it, so that the change fails if somebody has
 * removed the table.
 */
const MARK = 'ours'

/** The rules; the control plane's addresses pass before any ban. */
async function rulesOf(sets: readonly string[]): Promise<string[]> {
  const guarded = (await controlPlane()).map(
    (address) => `${isIP(address) === 4 ? 'ip' : 'ip6'} saddr ${address} accept`,
  )
  const drops = await Promise.all(sets.map(dropsOf))
  return ['iif lo accept', ...guarded, ...drops.flat()]
}
async function dropsOf(set: string): Promise<string[]> {
  const ports = await portsOf(set)
  const to = ports ? ` tcp dport { ${ports.join(', ')} }` : ''
  return families.flatMap((family) =>
    ['', '_nets'].map((kind) => {
      const name = nameIn(set, family)
      return `${family === 4 ? 'ip' : 'ip6'} saddr @${name}${kind}${to} counter name ${name} drop`
    }),
  )
}

async function controlPlane(): Promise<string[]> {
  if (!existsSync(process.env.INNKEEPER_AGENT_CONFIG ?? places.settings)) return []
  const host = new URL(readSettings().url).hostname.replace(/^\[|\]$/g, '')
  if (isIP(host)) return [host]
  const found = await lookup(host, { all: true }).catch(() => []) // an unresolved name cannot be exempted
  return found.map(({ address }) => address)
}

/** Before connection tracking, so that a ban also cuts established connections, and before forwarding. */
const hook = '{ type filter hook prerouting priority raw; policy accept; }'

/** The commands that create the table, sets and rules. Keeps existing entries; replaces the rules. */
async function structure(sets: readonly string[]): Promise<string[]> {
  return [
    `add table ${table}`,
    `add chain ${table} ${MARK}`,
    `add chain ${table} doors ${hook}`,
    ...sets.flatMap((set) =>
      families.flatMap((family) => {
        const name = nameIn(set, family)
        const type = `type ipv${family}_addr`
        return [
          `add counter ${table} ${name}`,
          `add set ${table} ${name} { ${type}; flags timeout; }`,
          `add set ${table} ${name}_nets { ${type}; flags interval, timeout; }`,
        ]
      }),
    ),
    `flush chain ${table} doors`,
    ...(await rulesOf(sets)).map((rule) => `add rule ${table} doors ${rule}`),
  ]
}
/** Writes the table's structure and the boot unit. Answers whether that loaded all sets. */
export async function keepTable(sets: readonly string[]): Promise<boolean> {
  await keepLoader()
  const all = [`add table ${table}`, `delete table ${table}`, ...(await structure(sets))]
  await replace(`${setFolder}/table.nft`, textOf(all), { mode: 0o600 })
  if (!hasSystemd() || !(await replace(unitFile, unitText))) return false
  await reloadUnits()
  await must(['systemctl', 'enable', '--quiet', `${unit}.service`])
  // keep the unit active, as after a boot: a restart of nftables.service then restarts the unit too
  await must(['systemctl', 'restart', `${unit}.service`])
  return true
}

/** Loads all files into the kernel in one transaction. */
export const load = () => must(['/bin/sh', `${setFolder}/load`])

/** Removes the table, the unit and the files once no set is left. */
export async function dropTable(): Promise<void> {
  if (hasSystemd() && existsSync(unitFile)) {
    await run(['systemctl', 'disable', '--now', '--quiet', `${unit}.service`]) // its file is removed next
    await run(['systemctl', 'reset-failed', '--quiet', `${unit}.service`]) // fails if the unit never ran
    await remove(unitFile)
    await reloadUnits()
  }
  await must(['nft', '-f', '-'], { input: `add table ${table}\ndelete table ${table}\n` })
  for (const file of ['load', 'table.nft']) await remove(`${setFolder}/${file}`)
}

/** A timeout as days and seconds: nft refuses numbers of nine digits, which three years in seconds have. */
const lasting = (left: number) => `${Math.floor(left / 86_400)}d${left % 86_400}s`

/**
 * Changes entries of `set` in one transaction; `gone` and `come` are lines of its file. Answers false if the kernel
 * refuses, for instance because an entry to remove is missing; then nothing has changed.
 */
export async function alter(
  sets: readonly string[],
  { set, gone = [], come = [] }: { set: string; gone?: readonly string[]; come?: readonly string[] },
): Promise<boolean> {
  const now = seconds()
  const lines = (verb: 'add' | 'delete', entries: readonly string[]) => {
    const live = entries.filter((line) => isLive(line, now)).map(entryIn)
    return [...Map.groupBy(live, (entry) => setOf(set, entry))].map(([name, some]) => {
      const elements = some.map(({ text, until }) => {
        const left = verb === 'add' && until ? ` timeout ${lasting(until - now)}` : ''
        return `${text}${left}`
      })
      return `${verb} element ${table} ${name} { ${elements.join(', ')} }`
    })
  }
  const leaves = sets.includes(set)
    ? []
    : [
        ...setsOf(set).map((name) => `delete set ${table} ${name}`),
        ...families.map((family) => `delete counter ${table} ${nameIn(set, family)}`),
      ]
  const text = [
    `delete chain ${table} ${MARK}`,
    ...(await structure(sets)),
    ...leaves,
    ...lines('delete', gone),
    ...lines('add', come),
  ]
  // nft applies a file completely or not at all
  return (await run(['nft', '-f', '-'], { input: textOf(text) })).code === 0
}

/** Packets that a set has dropped since its counters were created, from `nft list counters`. */
export function packetsIn(listed: string, set: string): number {
  const of = (family: 4 | 6) =>
    Number(new RegExp(`counter ${nameIn(set, family)} \\{\\s+packets (\\d+)`).exec(listed)?.[1] ?? 0)
  return of(4) + of(6)
}
