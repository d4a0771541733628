import type { Load } from '@innkeeper/contract/machines/servers/shapes'
import { bytes } from '../../../kit/look/format.ts'

/** One of a server's three figures; `share` is the used part from 0 to 1. */
export interface Figure {
  label: string
  value: string
  of: string
  share: number
}

const shareOf = (used: number, total: number) => (total > 0 ? used / total : 0)

/** Load of the last minute per core, and memory and disk per size. */
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

/** Free capacity for a form: "31 % busy, 412 GB free"; more waiting programs than cores are "overloaded". */
export function roomOf(load: Load | null): string {
  if (!load) return 'no figures yet'
  const busy = Math.round(100 * shareOf(load.load, load.cores))
  return `${busy > 100 ? 'overloaded' : `${busy} % busy`}, ${bytes(Math.max(0, load.disk.total - load.disk.used))} free`
}

/** The highest of the figures, 0 to 1; a server without figures counts as full. */
export const fullness = (load: Load | null): number =>
  load ? Math.max(...figuresOf(load).map(({ share }) => share)) : 1
