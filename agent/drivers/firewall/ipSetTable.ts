import { lookup } from 'node:dns/promises'
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { ensureDirectory, hasSystemd, must, places, remove, replace, run } from '../../kit/host.ts'
import { readSettings } from '../../settings.ts'
import { type Entry, entryIn, isLive, seconds, setFolder } from './ipSetFile.ts'
import { nftUnit } from './nftUnit.ts'

/** Ours alone: no rule of anybody else stands in it, and no rule of ours elsewhere. */
export const table = 'inet innkeeper'
const unit = 'innkeeper-ip-sets'
const unitFile = `/etc/systemd/system/${unit}.service`
const families = [4, 6] as const
/**
 * Single addresses lie in a hash, which nft changes without reading it; networks in a set of intervals, which it reads
 * first: half a second for 50,000.
 */
const setOf = (set: string, { first, last }: Entry) =>
  `${nameIn(set, first.startsWith('4') ? 4 : 6)}${first === last ? '' : '_nets'}`
const nameIn = (set: string, family: 4 | 6) => `${set}_v${family}`
/** The nftables sets of a set. */
export const setsOf = (set: string) =>
  families.flatMap((family) => [nameIn(set, family), `${nameIn(set, family)}_nets`])
/** There as long as the table is: what it is taken out of and put back into fails where somebody took the table away. */
const MARK = 'ours'

/** The control plane gets through whatever is banned. */
async function rulesOf(sets: readonly string[]): Promise<string[]> {
  const guarded = (await controlPlane()).map(
    (address) => `${isIP(address) === 4 ? 'ip' : 'ip6'} saddr ${address} accept`,
  )
  return ['iif lo accept', ...guarded, ...sets.flatMap(dropsOf)]
}
const dropsOf = (set: string) =>
  families.flatMap((family) =>
    ['', '_nets'].map((kind) => {
      const name = nameIn(set, family)
      return `${family === 4 ? 'ip' : 'ip6'} saddr @${name}${kind} counter name ${name} drop`
    }),
  )

async function controlPlane(): Promise<string[]> {
  if (!existsSync(process.env.INNKEEPER_AGENT_CONFIG ?? places.settings)) return []
  const host = new URL(readSettings().url).hostname.replace(/^\[|\]$/g, '')
  if (isIP(host)) return [host]
  const found = await lookup(host, { all: true }).catch(() => []) // whoever cannot be found is not kept out by us
  return found.map(({ address }) => address)
}

/** Before connections are tracked, so that one that stands is cut too, and before what is passed on to others. */
const hook = '{ type filter hook prerouting priority raw; policy accept; }'

/** The table without its entries, as it is to be: what is there already stays as it is, but for the rules. */
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
const textOf = (lines: readonly string[]) => `${lines.join('\n')}\n`

/**
 * Brings the table and all entries from our files into the kernel, in one transaction: at the machine's start with what
 * is left of each, without us and before its network; and whenever the kernel is not as our files have it.
 */
const loader = `#!/bin/sh
# Written by Innkeeper; what is changed here is written over.
set -eu
umask 077
cd ${setFolder}
now=$(date +%s)
{
  cat table.nft
  for file in sets/*; do
    case $file in *.new|'sets/*') continue ;; esac
    awk -v now="$now" -v set="\${file#sets/}" '
      function tell(name) {
        if (many[name]) print "add element ${table} " name " { " text[name] " }"
        many[name] = 0
        text[name] = ""
      }
      function entry(first, last, addresses, until,  name, left) {
        if (until != 0 && until <= now) return
        name = set "_v" (addresses ~ /:/ ? 6 : 4) (first == last ? "" : "_nets")
        left = until - now
        left = until == 0 ? "" : sprintf(" timeout %dd%ds", int(left / 86400), left % 86400)
        text[name] = text[name] (many[name]++ ? ", " : "") addresses left
        if (many[name] == 500) tell(name)
      }
      # once for what was added, which has the last word, and once for what was there
      NR == FNR {
        if (cut || FNR == 1 || /^[46]/) next
        if (/^[+-] [46][0-9a-f]+ [46][0-9a-f]+ [0-9a-f.:-]+ [0-9]+$/) told[++n] = $0
        else if (/^# change [0-9]+ [0-9]+$/ && $4 == n + 0) {
          for (i = 1; i <= n; i++) there[substr(told[i], 3)] = substr(told[i], 1, 1)
          n = 0
        } else cut = 1
        next
      }
      /^[46]/ && !($0 in there) { entry($1, $2, $3, $4 + 0) }
      END {
        for (line in there) if (there[line] == "+") {
          split(line, one, " ")
          entry(one[1], one[2], one[3], one[4] + 0)
        }
        for (name in many) tell(name)
      }' "$file" "$file"
  done
} >/run/innkeeper-ip-sets.nft
nft -c -f /run/innkeeper-ip-sets.nft
nft -f /run/innkeeper-ip-sets.nft
rm /run/innkeeper-ip-sets.nft
`

const unitText = nftUnit('IP sets of Innkeeper', setFolder, `/bin/sh ${setFolder}/load`)

/** What reads our files at the next start understands them, whichever version wrote it: before they are changed. */
export async function keepLoader(): Promise<void> {
  await ensureDirectory(setFolder, { mode: 0o700 })
  await replace(`${setFolder}/load`, loader, { mode: 0o700 })
}

/** What the next start of the machine reads, but for the entries. Answers whether all of it was loaded by that. */
export async function keepTable(sets: readonly string[]): Promise<boolean> {
  await keepLoader()
  const all = [`add table ${table}`, `delete table ${table}`, ...(await structure(sets))]
  await replace(`${setFolder}/table.nft`, textOf(all), { mode: 0o600 })
  if (!hasSystemd() || !(await replace(unitFile, unitText))) return false
  await must(['systemctl', 'daemon-reload'])
  await must(['systemctl', 'enable', '--quiet', `${unit}.service`])
  // active, as after each start of the machine: nftables.service takes along what is
  await must(['systemctl', 'restart', `${unit}.service`])
  return true
}

/** The kernel has what our files have, all of it, from one moment to the next. */
export const load = () => must(['/bin/sh', `${setFolder}/load`], { timeoutMs: 120_000 })

/** No set is left: nothing of ours stays. */
export async function dropTable(): Promise<void> {
  if (hasSystemd() && existsSync(unitFile)) {
    await run(['systemctl', 'disable', '--now', '--quiet', `${unit}.service`]) // goes with its file
    await run(['systemctl', 'reset-failed', '--quiet', `${unit}.service`]) // which may not have started
    await remove(unitFile)
    await must(['systemctl', 'daemon-reload'])
  }
  await must(['nft', '-f', '-'], { input: `add table ${table}\ndelete table ${table}\n` })
  for (const file of ['load', 'table.nft']) await remove(`${setFolder}/${file}`)
}

/** Days and seconds: nft reads no number of nine digits, and in seconds three years have as many. */
const lasting = (left: number) => `${Math.floor(left / 86_400)}d${left % 86_400}s`

/**
 * These sets stand, and of `set` some entries (lines of its file) came and went, from one moment to the next. False where the
 * kernel refuses it, as where it has not what goes: then nothing is done.
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
  // nft carries out a file as a whole or not at all
  return (await run(['nft', '-f', '-'], { input: textOf(text) })).code === 0
}

/** Packets that a set has dropped since its counters were made, by what `nft list counters` says. */
export function packetsIn(listed: string, set: string): number {
  const of = (family: 4 | 6) =>
    Number(new RegExp(`counter ${nameIn(set, family)} \\{\\s+packets (\\d+)`).exec(listed)?.[1] ?? 0)
  return of(4) + of(6)
}
