import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Away, Refused } from '../door.ts'
import { asked } from './link.ts'

/** A file that people upload to or download from Innkeeper. Agents transfer it through the agents' port. */
export interface Blob {
  key: string
  size: number
  sha256: string
}
const TRIES = 20 // without progress in between

/** Appends the missing bytes of a blob to `file`, and continues after interruptions. */
export async function fetchBlob({ key, size }: Blob, file: string, tell: (read: number) => void): Promise<void> {
  await patiently(async () => {
    const handle = await open(file, 'a', 0o600)
    const have = (await handle.stat()).size
    try {
      if (have > size) await handle.truncate(0)
      if (have === size) return { at: have, done: true }
      await receive(`/agent/blobs/${key}?offset=${have > size ? 0 : have}`, async (answer) => {
        let at = have > size ? 0 : have
        for await (const part of answer) {
          await handle.write(part as Buffer) // a response without encoding
          at += (part as Buffer).length
          tell(at)
        }
      })
      await handle.sync()
    } finally {
      await handle.close()
    }
    const at = (await stat(file)).size
    return { at, done: at === size }
  })
}

/** Sends the bytes of a file that Innkeeper lacks, and continues after interruptions. */
export async function sendBlob({ key, size, sha256 }: Blob, file: string, tell: (sent: number) => void): Promise<void> {
  let at = 0
  await patiently(async () => {
    at = await offsetOf(await post(`/agent/blobs/${key}/offset`))
    if (at < size || size === 0) {
      const source = createReadStream(file, { start: at })
      let sent = at
      source.on('data', (part) => {
        sent += part.length
        tell(sent)
      })
      source.pause()
      at = await offsetOf(await post(`/agent/blobs/${key}?offset=${at}&size=${size}`, source, size - at))
    }
    if (at < size) return { at, done: false }
    await post(`/agent/blobs/${key}/whole?size=${size}&sha256=${sha256}`)
    return { at, done: true }
  })
}

async function offsetOf(answer: string): Promise<number> {
  const read = JSON.parse(answer) as { offset?: unknown } // our own server; checked below
  if (typeof read.offset !== 'number') throw new Away('the answer has no offset')
  return read.offset
}

/** Repeats an attempt while Innkeeper is away, at most TRIES times without progress. */
async function patiently(attempt: () => Promise<{ at: number; done: boolean }>): Promise<void> {
  let [furthest, tries] = [-1, 0]
  for (;;) {
    try {
      const { at, done } = await attempt()
      if (done) return
      if (at > furthest) tries = 0
      furthest = Math.max(furthest, at)
      if (++tries > TRIES) throw new Error('Innkeeper refuses further parts of the file')
    } catch (error) {
      if (!(error instanceof Away) || ++tries > TRIES) throw error
      await sleep(500 * Math.min(tries, 10))
    }
  }
}

function receive(path: string, take: (answer: AsyncIterable<unknown>) => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const made = asked(path, 'GET')
    made.on('error', (error) => reject(new Away(error.message)))
    made.on('response', (answer) => {
      if (answer.statusCode !== 200) {
        answer.resume()
        return reject(failure(answer.statusCode ?? 0, path))
      }
      take(answer).then(resolve, (error: Error & { code?: string }) =>
        reject(error.code === 'ECONNRESET' || error.message === 'aborted' ? new Away(error.message) : error),
      )
    })
    made.end()
  })
}

function post(path: string, body?: ReturnType<typeof createReadStream>, length = 0): Promise<string> {
  return new Promise((resolve, reject) => {
    const made = asked(path, 'POST', length)
    made.on('error', (error) => reject(new Away(error.message)))
    made.on('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => {
        text += part
      })
      answer.on('error', (error) => reject(new Away(error.message)))
      answer.on('end', () => {
        if (answer.statusCode === 200) return resolve(text)
        reject(failure(answer.statusCode ?? 0, text.slice(0, 300)))
      })
    })
    if (body) pipeline(body, made).catch((error: Error) => reject(new Away(error.message)))
    else made.end()
  })
}

const failure = (status: number, words: string) =>
  status >= 500 || status === 429 ? new Away(`${status} ${words}`) : new Refused(status, `${status} ${words}`)
