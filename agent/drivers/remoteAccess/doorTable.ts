import { existsSync } from 'node:fs'
import { type DatabaseEngine, databaseEngine } from '@innkeeper/contract/kit/values'
import { readNetwork } from '@innkeeper/contract/machines/ipsets/networks'
import { ensureDirectory, hasSystemd, must, reloadUnits, replace, run } from '../../kit/host.ts'
import { nftUnit } from '../firewall/nftUnit.ts'
import { addressesOf, type Door, folder } from './doors.ts'

/** A separate table. Bans apply first, in the prerouting hook, so a banned address cannot use a door. */
const table = 'inet innkeeper_databases'
const unit = 'innkeeper-databases'
const unitFile = `/etc/systemd/system/${unit}.service`
const file = `${folder}/table.nft`
const families = [
  { family: 'ip', type: 'ipv4_addr', set: 'v4' },
  { family: 'ip6', type: 'ipv6_addr', set: 'v6' },
] as const
const isOf = (family: 'ip' | 'ip6') => (address: string) => address.includes(':') === (family === 'ip6')

/** The whole table: the port of each engine is open from this machine and from the doors. */
export function tableText(doors: readonly Door[], ports: Readonly<Record<DatabaseEngine, number>>): string {
  const sets = databaseEngine.options.flatMap((engine) =>
    families.map(({ family, type, set }) => {
      const elements = addressesOf(doors, engine).filter(isOf(family))
      return `  set ${engine}_${set} { type ${type}; flags interval; auto-merge;${
        elements.length ? ` elements = { ${elements.join(', ')} };` : ''
      } }`
    }),
  )
  const rules = databaseEngine.options.flatMap((engine) => [
    ...families.map(({ family, set }) => `    tcp dport ${ports[engine]} ${family} saddr @${engine}_${set} accept`),
    `    tcp dport ${ports[engine]} counter reject with tcp reset`,
  ])
  return [
    `add table ${table}`,
    `delete table ${table}`,
    `table ${table} {`,
    ...sets,
    '  chain doors {',
    '    type filter hook input priority filter - 5; policy accept;',
    '    iif lo accept',
    ...rules,
    '  }',
    '}',
    '',
  ].join('\n')
}

/** Loads the table now, and at each boot before the network starts. The table stays loaded even without doors. */
export async function closeAllBut(
  doors: readonly Door[],
  ports: Readonly<Record<DatabaseEngine, number>>,
): Promise<void> {
  if (!existsSync('/usr/sbin/nft')) throw new Error('nftables is not installed: its package comes first')
  await ensureDirectory(folder, { mode: 0o700 })
  await replace(file, tableText(doors, ports), { mode: 0o600 })
  await must(['nft', '-f', file])
  if (!hasSystemd()) return
  if (!(await replace(unitFile, nftUnit('Remote access to databases', folder, `/usr/sbin/nft -f ${file}`)))) return
  await reloadUnits()
  await must(['systemctl', 'enable', '--quiet', `${unit}.service`])
  // keep the unit active, as after a boot: a restart of nftables.service then restarts the unit too
  await must(['systemctl', 'restart', `${unit}.service`])
}

type Element = string | { prefix: { addr: string; len: number } } | { range: [string, string] }
interface Listed {
  nftables: { set?: { name: string; elem?: Element[] } }[]
}
interface Span {
  family: 4 | 6
  first: bigint
  last: bigint
}

/** The addresses that the kernel admits for each engine, as spans; undefined if the table is not loaded. */
export async function letIn(): Promise<Record<DatabaseEngine, Span[]> | undefined> {
  if (!existsSync('/usr/sbin/nft')) return undefined
  const ran = await run(['nft', '--json', 'list', 'table', ...table.split(' ')])
  if (ran.code !== 0) return undefined
  const { nftables } = JSON.parse(ran.stdout) as Listed // the format of nft
  const of = (engine: DatabaseEngine) =>
    spansOf(
      nftables.flatMap(({ set }) =>
        set && families.some((one) => set.name === `${engine}_${one.set}`) ? (set.elem ?? []) : [],
      ),
    )
  return { mariadb: of('mariadb'), postgresql: of('postgresql') }
}

/** Addresses and networks as sorted spans. Adjacent and overlapping ones are merged, as in nft. */
export function spansOf(elements: readonly Element[]): Span[] {
  const spans = elements.flatMap((element): Span[] => {
    const [first, last] =
      typeof element === 'string'
        ? [element, element]
        : 'prefix' in element
          ? [`${element.prefix.addr}/${element.prefix.len}`, `${element.prefix.addr}/${element.prefix.len}`]
          : element.range
    const [begin, end] = [readNetwork(first), readNetwork(last)]
    return begin && end ? [{ family: begin.family, first: begin.first, last: end.last }] : []
  })
  const merged: Span[] = []
  for (const span of spans.toSorted((a, b) => a.family - b.family || (a.first < b.first ? -1 : 1))) {
    const before = merged.at(-1)
    if (before?.family === span.family && span.first <= before.last + 1n) {
      if (span.last > before.last) before.last = span.last
    } else merged.push(span)
  }
  return merged
}

export const isWithin = (spans: readonly Span[], address: string): boolean =>
  spansOf([address]).every(({ family, first, last }) =>
    spans.some((one) => one.family === family && one.first <= first && one.last >= last),
  )
export const sameSpans = (a: readonly Span[], b: readonly Span[]): boolean =>
  a.length === b.length && a.every(({ first, last }, i) => first === b[i]?.first && last === b[i].last)
