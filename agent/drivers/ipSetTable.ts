import { lookup } from 'node:dns/promises'
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { ensureDirectory, hasSystemd, must, places, remove, replace, run } from '../kit/host.ts'
import { readSettings } from '../settings.ts'
import { type Entry, isLive, seconds, setFolder } from './ipSetFile.ts'

/** Ours alone: no rule of anybody else stands in it, and no rule of ours elsewhere. */
export const table = 'inet innkeeper'
const unit = 'innkeeper-ip-sets'
const unitFile = `/etc/systemd/system/${unit}.service`
const families = [4, 6] as const
const nameIn = (set: string, family: 4 | 6) => `${set}_v${family}`
const familyOf = ({ first }: Entry) => (first.startsWith('4') ? 4 : 6)

/** What the rules are, in the words in which nft lists them: the control plane gets through whatever is banned. */
async function rulesOf(sets: readonly string[]): Promise<string[]> {
  const guarded = (await controlPlane()).map(
    (address) => `${isIP(address) === 4 ? 'ip' : 'ip6'} saddr ${address} accept`,
  )
  return ['iif "lo" accept', ...guarded.sort(), ...sets.flatMap((set) => families.map((family) => drop(set, family)))]
}
const drop = (set: string, family: 4 | 6) =>
  `${family === 4 ? 'ip' : 'ip6'} saddr @${nameIn(set, family)} counter name "${nameIn(set, family)}" drop`

async function controlPlane(): Promise<string[]> {
  if (!existsSync(process.env.INNKEEPER_AGENT_CONFIG ?? places.settings)) return []
  const host = new URL(readSettings().url).hostname.replace(/^\[|\]$/g, '')
  if (isIP(host)) return [host]
  const found = await lookup(host, { all: true }).catch(() => []) // whoever cannot be found is not kept out by us
  return found.map(({ address }) => address)
}

const kindOf = (family: 4 | 6) => `{ type ipv${family}_addr; flags interval, timeout; }`
/** Before connections are tracked, so that one that stands is cut too, and before what is passed on to others. */
const hook = '{ type filter hook prerouting priority raw; policy accept; }'

/** The whole table without its entries. */
const tableText = (sets: readonly string[], rules: readonly string[]) =>
  [
    `add table ${table}`,
    `delete table ${table}`,
    `add table ${table}`,
    ...sets.flatMap(setText),
    `add chain ${table} doors ${hook}`,
    ...rules.map((rule) => `add rule ${table} doors ${rule}`),
    '',
  ].join('\n')
const setText = (set: string) =>
  families.flatMap((family) => [
    `add counter ${table} ${nameIn(set, family)}`,
    `add set ${table} ${nameIn(set, family)} ${kindOf(family)}`,
  ])

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
      function tell(family) {
        if (many[family]) print "add element ${table} " set "_v" family " { " text[family] " }"
        many[family] = 0
        text[family] = ""
      }
      NR > 1 && ($4 == 0 || $4 > now) {
        family = $3 ~ /:/ ? 6 : 4
        text[family] = text[family] (many[family]++ ? ", " : "") $3 ($4 == 0 ? "" : " timeout " ($4 - now) "s")
        if (many[family] == 500) tell(family)
      }
      END { tell(4); tell(6) }' "$file"
  done
} >/run/innkeeper-ip-sets.nft
nft -c -f /run/innkeeper-ip-sets.nft
nft -f /run/innkeeper-ip-sets.nft
rm /run/innkeeper-ip-sets.nft
`

/** Whoever reloads nftables.service empties the kernel of all tables: ours comes back with it. */
const unitText = `# Written by Innkeeper; what is changed here is written over.
[Unit]
Description=IP sets of Innkeeper
DefaultDependencies=no
RequiresMountsFor=${setFolder}
Wants=network-pre.target
Before=network-pre.target shutdown.target
After=nftables.service
PartOf=nftables.service
ReloadPropagatedFrom=nftables.service
Conflicts=shutdown.target

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh ${setFolder}/load
ExecReload=/bin/sh ${setFolder}/load

[Install]
WantedBy=sysinit.target
`

/** What the next start of the machine reads, but for the entries. Answers whether all of it was loaded by that. */
export async function keepTable(sets: readonly string[]): Promise<boolean> {
  await ensureDirectory(setFolder, { mode: 0o700 })
  await replace(`${setFolder}/load`, loader, { mode: 0o700 })
  await replace(`${setFolder}/table.nft`, tableText(sets, await rulesOf(sets)), { mode: 0o600 })
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
    await remove(unitFile)
    await must(['systemctl', 'daemon-reload'])
  }
  await must(['nft', '-f', '-'], { input: `add table ${table}\ndelete table ${table}\n` })
  for (const file of ['load', 'table.nft']) await remove(`${setFolder}/${file}`)
}

/** Does the kernel have these sets and rules, and no other rule in our chain? Their entries are not looked at. */
export async function stands(sets: readonly string[]): Promise<boolean> {
  const rules = await rulesOf(sets)
  const ran = await run(['nft', '--terse', 'list', 'table', ...table.split(' ')])
  const lines = ran.stdout.split('\n').map((line) => line.trim())
  const [, ...chain] = lines.slice(lines.indexOf('chain doors {'))
  const standing = chain.slice(1, chain.indexOf('}'))
  const there = sets.every((set) => families.every((family) => lines.includes(`set ${nameIn(set, family)} {`)))
  return ran.code === 0 && there && standing.join('\n') === rules.join('\n')
}

/** A new set beside those that stand, then what comes and goes; false where the kernel refuses it, and nothing is done. */
export async function alter(
  set: string,
  gone: readonly Entry[],
  come: readonly Entry[],
  isNew: boolean,
): Promise<boolean> {
  const now = seconds()
  const left = ({ text, until }: Entry) => (until === 0 ? text : `${text} timeout ${Math.max(1, until - now)}s`)
  const text = families.flatMap((family) => {
    const own = (entries: readonly Entry[]) =>
      entries.filter((entry) => familyOf(entry) === family && isLive(entry, now))
    const [leave, enter] = [own(gone), own(come)]
    const place = `${table} ${nameIn(set, family)}`
    return [
      ...(leave.length ? [`delete element ${place} { ${leave.map((entry) => entry.text).join(', ')} }`] : []),
      ...(enter.length ? [`add element ${place} { ${enter.map(left).join(', ')} }`] : []),
    ]
  })
  const made = isNew
    ? [...setText(set), ...families.map((family) => `add rule ${table} doors ${drop(set, family)}`)]
    : []
  // nft carries out a file as a whole or not at all
  return (await run(['nft', '-f', '-'], { input: `${[...made, ...text].join('\n')}\n` })).code === 0
}

/** Packets that a set has dropped since its counters were made. */
export async function packetsOf(set: string): Promise<number> {
  const counted = families.map(async (family) => {
    const said = await run(['nft', 'list', 'counter', ...table.split(' '), nameIn(set, family)])
    return Number(/packets (\d+)/.exec(said.stdout)?.[1] ?? 0)
  })
  return (await Promise.all(counted)).reduce((sum, n) => sum + n, 0)
}

/** Asks the kernel for addresses of entries; throws with the first that it lets through. */
export async function checkDropped(set: string, entries: readonly Entry[]): Promise<void> {
  for (const entry of entries) {
    const place = [...table.split(' '), nameIn(set, familyOf(entry))]
    const [address = ''] = entry.text.split('-')
    const ran = await run(['nft', 'get', 'element', ...place, `{ ${address} }`])
    if (ran.code !== 0 && isLive(entry, seconds()))
      throw new Error(`${address} is told and not dropped: ${ran.stderr.trim()}`)
  }
}

export const listCommand = (set: string, family: 4 | 6) =>
  ['nft', '--json', 'list', 'set', ...table.split(' '), nameIn(set, family)] as const
