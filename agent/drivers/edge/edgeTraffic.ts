import { constants, createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Driver } from '../../kit/driver.ts'
import { absent } from '../../kit/host.ts'

const log = '/var/log/nginx/innkeeper-edge.log'
/** Seconds of a bucket. */
const QUARTER = 900

interface Bucket {
  vhostId: number
  /** The first second of the bucket, since the epoch. */
  at: number
  hits: number
  misses: number
  passed: number
  bytes: number
}

/**
 * Requests and bytes of each website per quarter of an hour since `since`; the last quarter may be incomplete. Reads
 * the edge's log and the last rotated one, from the first line in range.
 */
export const readEdgeTraffic: Driver<'edge-traffic.read'> = {
  async run({ input: { since } }) {
    const from = Math.floor(since / QUARTER) * QUARTER
    const buckets = new Map<string, Bucket>()
    for (const file of [`${log}.1`, log]) await add(buckets, file, from)
    return { buckets: [...buckets.values()].sort((a, b) => a.at - b.at || a.vhostId - b.vhostId) }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

async function add(buckets: Map<string, Bucket>, file: string, from: number): Promise<void> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(absent)
  if (!handle) return
  try {
    const start = await firstAfter(handle, from)
    const lines = createInterface({ input: createReadStream(file, { fd: handle, start, autoClose: false }) })
    for await (const line of lines) count(buckets, line, from)
  } finally {
    await handle.close()
  }
}

/** A log line `1763733600.123 12 HIT 5321`: time, vhost, cache status, bytes sent. */
function count(buckets: Map<string, Bucket>, line: string, from: number): void {
  const [, second, id, said, sent] = line.match(/^(\d{9,11})\.\d{3} (\d{1,10}) ([A-Z]+|-) (\d{1,15})$/) ?? []
  const vhostId = Number(id ?? 0)
  const at = Math.floor(Number(second ?? 0) / QUARTER) * QUARTER
  if (!vhostId || at < from || !said) return
  const key = `${at}/${vhostId}`
  const bucket = buckets.get(key) ?? { vhostId, at, hits: 0, misses: 0, passed: 0, bytes: 0 }
  bucket[kindOf(said)]++
  bucket.bytes += Number(sent)
  buckets.set(key, bucket)
}

const kindOf = (said: string) =>
  ['HIT', 'STALE', 'UPDATING', 'REVALIDATED'].includes(said)
    ? 'hits'
    : ['MISS', 'EXPIRED'].includes(said)
      ? 'misses'
      : 'passed'

/** The offset of the first line in range, by binary search: the lines are ordered by time. */
async function firstAfter(handle: FileHandle, from: number): Promise<number> {
  let low = 0
  let high = (await handle.stat()).size
  while (high - low > 65_536) {
    const middle = Math.floor((low + high) / 2)
    const second = await secondAt(handle, middle)
    // lines of the same second may be slightly out of order
    if (second !== undefined && second < from - 1) low = middle
    else high = middle
  }
  return low
}

/** The time of the first complete line after an offset. */
async function secondAt(handle: FileHandle, offset: number): Promise<number | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(512), 0, 512, offset)
  const text = buffer.toString('latin1', 0, bytesRead)
  const [, second] = text.slice(text.indexOf('\n') + 1).match(/^(\d{9,11})\./) ?? []
  return second === undefined ? undefined : Number(second)
}
