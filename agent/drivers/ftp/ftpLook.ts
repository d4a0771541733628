import { open } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import { absent, must } from '../../kit/host.ts'
import { isOfFront } from './front/places.ts'
import { readClients } from './ftpClients.ts'
import { frontUnit } from './ftpFront.ts'
import { transferLog, unit } from './ftpPlaces.ts'

/** Bytes of the log that are read from its end. */
const TAIL = 8 * 1_048_576

/** The latest transfers of a login. */
export const readTransfers: Driver<'ftp.transfers'> = {
  async run({ input: { name, limit } }) {
    const lines = [...(await tailOf(`${transferLog}.1`)), ...(await tailOf(transferLog))]
    const clientAt = await readClients()
    const found = lines.flatMap((line) => transferIn(line) ?? []).filter((one) => one.name === name)
    return {
      transfers: found
        .toReversed()
        .slice(0, limit)
        .map(({ name: _, address, ...one }) => ({ ...one, address: clientAt(address) })),
    }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

/** `1764000000 6923ab-1f web1_kari 10.0.0.7 U 1234 0 /home/…`: start, session, login, client, direction, bytes, seconds. */
function transferIn(line: string) {
  const [, at, name = '', address = '', way, bytes, seconds, file] =
    line.match(/^(\d+) \S+ (\S+) (\S+) ([UD]) (\d+) (\d+) (.*)$/) ?? []
  if (!at) return undefined
  return { name, at: Number(at), address, upload: way === 'U', bytes: Number(bytes), seconds: Number(seconds), file }
}

async function tailOf(file: string): Promise<string[]> {
  const handle = await open(file).catch(absent)
  if (!handle) return []
  try {
    const { size } = await handle.stat()
    const length = Math.min(size, TAIL)
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length)
    return buffer.toString('utf8').split('\n')
  } finally {
    await handle.close()
  }
}

/**
 * Logins by name and failed attempts by address since a time, from the journal. For port 990 the front writes them, with
 * the client's address; the lines of pure-ftpd about the same sign-ins are left out.
 */
export const readActivity: Driver<'ftp.activity'> = {
  async run({ input: { since } }) {
    const units = [unit, frontUnit].map((name) => `--unit=${name}`)
    const text = await must(['journalctl', '--quiet', ...units, `--since=@${since}`, '--output=json'])
    return activityIn(text)
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

/**
 * What pure-ftpd and the front say of a connection: `(kari@10.0.0.7) [INFO] …`. Behind the mark come words of the client, in which
 * another beginning may stand, so only the first one counts.
 */
const about = /^\([^\s@]*@([^\s@)]+)\) \[(INFO|WARNING)\] (.*)$/s

/** Logins and failed attempts in lines of the journal. */
export function activityIn(text: string) {
  const logins = new Map<string, { name: string; at: number; address: string }>()
  const guesses = new Map<string, { address: string; tries: number; at: number }>()
  for (const line of text.split('\n')) {
    const { MESSAGE: said, __REALTIME_TIMESTAMP: stamp } = line ? (JSON.parse(line) as Entry) : {}
    const at = Math.floor(Number(stamp) / 1_000_000)
    const [, address = '', kind, words = ''] = textOf(said).match(about) ?? []
    if (!address || isOfFront(address)) continue
    const [, name] = (kind === 'INFO' && words.match(/^(\S+) is now logged in$/)) || []
    if (name) logins.set(name, { name, at, address })
    else if (kind === 'WARNING' && words.startsWith('Authentication failed for user'))
      guesses.set(address, { address, tries: (guesses.get(address)?.tries ?? 0) + 1, at })
  }
  return { logins: [...logins.values()], guesses: [...guesses.values()] }
}

/** A message with bytes that are no text is in the journal as a list of bytes; one that is too long is null. */
const textOf = (said: Entry['MESSAGE']): string =>
  typeof said === 'string' ? said : Buffer.from(said ?? []).toString('latin1')

/** An entry of the journal with the fields that are read here. */
interface Entry {
  MESSAGE?: string | readonly number[] | null
  __REALTIME_TIMESTAMP?: string
}
