import { once } from 'node:events'
import type { LogRow } from '@innkeeper/contract/access/log'
import type { Reach } from '../../kit/outgoing/reach.ts'
import { connectTo, failed, secured, type TlsFiles } from '../../kit/outgoing/send.ts'

/** Facility “log audit” of RFC 5424. */
const AUDIT = 13
const severities = { success: 6, denied: 5, failed: 4 } as const
/** Longer messages are cut by receivers in their usual settings. */
const MOST_BYTES = 8000

export type SealedRow = LogRow & { hash: string }

/** A name as RFC 5424 has them: printable ASCII without spaces. */
const nameOf = (text: string, most: number) => text.replace(/[^!-~]/g, '_').slice(0, most) || '-'

/** A row of the log as a message of RFC 5424 with JSON. A long row loses its values before and after, and says so. */
export function syslogOf(row: SealedRow, host: string): string {
  const head = `<${AUDIT * 8 + severities[row.result]}>1 ${row.time} ${nameOf(host, 255)} innkeeper - ${nameOf(`${row.service}.${row.action}`, 32)} - `
  const whole = head + JSON.stringify(row)
  if (Buffer.byteLength(whole) <= MOST_BYTES) return whole
  const { before: _, after: __, subject, ...rest } = row
  return head + JSON.stringify({ ...rest, subject: subject?.slice(0, 200) ?? null, isCut: true })
}

/** The octet counting of RFC 5425. */
export const framed = (message: string): string => `${Buffer.byteLength(message)} ${message}`

interface To {
  host: string
  port: number
  tls: TlsFiles
  patienceMs: number
}

/**
 * Sends frames over one connection and ends it. Syslog answers nothing: that the receiver closes in turn says that it has
 * read to the end. A receiver that dies with unread bytes resets the connection, so that the frames are sent again.
 */
export async function sendFrames(reach: Reach, { host, port, tls, patienceMs }: To, frames: string): Promise<void> {
  const raw = connectTo(reach, { host, port })
  const socket = secured(raw, { servername: host.replace(/^\[|\]$/g, ''), ...tls })
  const signal = AbortSignal.timeout(patienceMs)
  const silent = () => socket.destroy(new Error(`no end within ${patienceMs / 1000} s`))
  signal.addEventListener('abort', silent)
  raw.on('error', (error) => socket.destroy(error))
  socket.on('error', () => {}) // one failure can be told twice
  try {
    await once(socket, 'secureConnect')
    const closed = new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.once('close', () => (socket.readableEnded ? resolve() : reject(new Error('the receiver broke off'))))
    })
    socket.resume() // whatever a receiver says is dropped
    socket.end(frames)
    await closed
  } catch (error) {
    throw failed(reach, `${host}:${port}`, error)
  } finally {
    signal.removeEventListener('abort', silent)
    socket.destroy()
    raw.destroy()
  }
}
