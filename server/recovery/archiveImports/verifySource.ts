import { request } from 'node:http'
import type { ReportLine } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { sql } from 'drizzle-orm'
import { rows } from '../../kit/db/db.ts'
import type { Work } from '../../kit/work/action.ts'
import type { Made } from './tables.ts'

/** What a visitor gets, as far as two answers of one website have it in common. */
export interface Page {
  status: number
  location: string
  title: string
  bytes: number
}
const MOST_BYTES = 1_048_576
const SILENCE_MS = 20_000
/** A page with a date or a token of its own differs a little at each request. */
const SAME_PART = 0.1
const SAME_BYTES = 200

/** The first page of each website at the machine that it comes from, beside the one here. A difference is shown, and ends nothing. */
export async function pagesOf(importId: number, { websites }: Made, { app, say }: Work): Promise<ReportLine[]> {
  const [former] = await rows<{ address: string | null }>(
    app.db,
    sql`select s.address from adoption_imports i join adoptions a on a.adoption_id = i.adoption_id
      join servers s on s.server_id = a.server_id where i.import_id = ${importId}`,
  )
  if (!former?.address) return []
  const lines: ReportLine[] = []
  for (const { id, domain, state } of websites) {
    if (state === 'suspended') continue
    const [here] = await rows<{ address: string | null }>(
      app.db,
      sql`select s.address from websites w join servers s on s.server_id = w.server_id where w.website_id = ${id}`,
    )
    const [was, is] = await Promise.all(
      [former.address, here?.address].map((at) => (at ? pageAt(at, domain) : undefined)),
    )
    say(`${domain}: ${inWords(was)} at the former server, ${inWords(is)} here`)
    lines.push(pageLine(domain, was, is))
  }
  return lines
}

export const pageLine = (name: string, was: Page | undefined, is: Page | undefined): ReportLine => ({
  ...{ kind: 'website', name, what: 'first page, at the former server and here' },
  ...{ archive: inWords(was), here: inWords(is), verdict: was && is && isSame(was, is) ? 'same' : 'changed' },
})

const isSame = (was: Page, is: Page) =>
  was.status === is.status &&
  was.location === is.location &&
  was.title === is.title &&
  // error pages of web servers differ, and nobody relies on them
  (was.status >= 400 || Math.abs(was.bytes - is.bytes) <= Math.max(SAME_BYTES, was.bytes * SAME_PART))

const inWords = (page: Page | undefined) =>
  page
    ? [
        ...[`${page.status}${page.location && ` to ${page.location}`}`, ...(page.title ? [`“${page.title}”`] : [])],
        `${page.bytes} bytes`,
      ].join(', ')
    : 'no answer'

/** Undefined without an answer. */
export function pageAt(host: string, name: string, port = 80): Promise<Page | undefined> {
  return new Promise((resolve) => {
    const asked = request({ host, port, path: '/', headers: { host: name }, timeout: SILENCE_MS, agent: false })
    asked.on('response', (answer) => {
      let [text, bytes] = ['', 0]
      answer.on('data', (part: Buffer) => {
        bytes += part.length
        if (text.length < 65_536) text += part.toString('utf8')
        if (bytes > MOST_BYTES) answer.destroy()
      })
      answer.on('error', () => undefined) // `close` follows
      answer.on('close', () => {
        const title = /<title[^>]{0,200}>([^<]{0,200})/i.exec(text)?.[1]?.trim() ?? ''
        resolve({
          ...{ status: answer.statusCode ?? 0, bytes, title: title.replaceAll('\0', '').toWellFormed() },
          location: (answer.headers.location ?? '').slice(0, 300),
        })
      })
    })
    asked.on('timeout', () => asked.destroy(new Error('no answer')))
    asked.on('error', () => resolve(undefined))
    asked.end()
  })
}
