import type { Load } from '@innkeeper/contract/servers'
import { bytes } from '../kit/look/format.ts'

/** One of the three figures of a machine; `share` is 0 to 1 of what it has. */
export interface Figure {
  label: string
  value: string
  of: string
  share: number
}

const shareOf = (used: number, total: number) => (total > 0 ? used / total : 0)

/** Load over a minute against its cores, memory and disk against their size. */
export const figuresOf = ({ load, cores, memory, disk }: Load): [load: Figure, memory: Figure, disk: Figure] => [
  {
    label: 'Load, 1 min',
    value: load.toFixed(2),
    of: `of ${cores} ${cores === 1 ? 'core' : 'cores'}`,
    share: shareOf(load, cores),
  },
  {
    label: 'Memory',
    value: bytes(memory.used),
    of: `of ${bytes(memory.total)}`,
    share: shareOf(memory.used, memory.total),
  },
  { label: 'Disk', value: bytes(disk.used), of: `of ${bytes(disk.total)}`, share: shareOf(disk.used, disk.total) },
]

/** What a form says of a server that a website could go to: "31 % busy, 412 GB free". */
export function roomOf(load: Load | null): string {
  if (!load) return 'no figures yet'
  const busy = Math.round(100 * shareOf(load.load, load.cores))
  return `${busy} % busy, ${bytes(Math.max(0, load.disk.total - load.disk.used))} free`
}

/** How full it is by its fullest figure, 0 to 1; without figures it counts as full. */
export const fullness = (load: Load | null): number =>
  load ? Math.max(...figuresOf(load).map(({ share }) => share)) : 1
