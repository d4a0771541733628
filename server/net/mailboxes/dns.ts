import { Resolver } from 'node:dns/promises'
import { missing } from '@innkeeper/contract/kit/access'
import { wireContent } from '@innkeeper/contract/net/dns/records'
import type { mailboxes as contract } from '@innkeeper/contract/net/mailboxes/calls'
import type { MailRecord } from '@innkeeper/contract/net/mailboxes/mailRecords'
import { and, eq } from 'drizzle-orm'
import type { Staff } from '../../kit/access/sessions.ts'
import type { App } from '../../kit/app/app.ts'
import type { Db } from '../../kit/db/db.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { denied, refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { publish } from '../dns/publications/publish.ts'
import { entriesOf } from '../dns/publications/sets.ts'
import { applyChange } from '../dns/records/apply.ts'
import { zonesOf } from '../dns/sites/ensure.ts'
import { zones } from '../dns/tables.ts'
import type { KeptZone } from '../dns/view.ts'
import { visibleTo } from '../dns/visible.ts'
import { readKeys } from './keys.ts'
import { readMailbox } from './read.ts'
import { isRight, plain, rivals, type WantedRecord, wantedRecords } from './records.ts'
import { hold } from './startWorkflow.ts'
import { rowOf } from './steps.ts'

const PATIENCE_MS = 2000

export const dnsHandlers: Pick<Handlers<typeof contract>, 'dns' | 'writeDns'> = {
  async dns({ id }, { app, staff }) {
    const { db } = app
    await readMailbox(db, id)
    const wanted = await wantedRecords(db, await rowOf(db, id))
    const found = await visibleZones(db, wanted, staff)
    const resolver = resolverOf(app, 1) // a person waits, and asks again
    const records = await Promise.all(wanted.map((one) => checked(one, found.get(one.name)?.domain ?? null, resolver)))
    return { records, keys: await readKeys(db, id), at: new Date().toISOString() }
  },

  async writeDns({ id }, context) {
    const { db, app, staff, audit } = context
    const mailbox = await hold(context, id)
    if (missing(staff, 'dns:record:update').length) throw denied(['dns:record:update'])
    const wanted = await wantedRecords(db, await rowOf(db, id))
    const found = await visibleZones(db, wanted, staff)
    const written: string[] = []
    const workflowIds: number[] = []
    for (const zone of new Map([...found.values()].map((one) => [one.id, one])).values()) {
      const [held] = await db.select().from(zones).where(eq(zones.id, zone.id)).for('update')
      if (!held) continue
      const create = []
      for (const one of wanted) {
        if (found.get(one.name)?.id !== held.id) continue
        // people must merge a record with the same purpose, such as another SPF record
        if (rivals(one, await inZone(db, held, one.name)).length) continue
        create.push({ name: `${one.name}.`, type: one.type, content: one.content })
        written.push(`${one.name} ${one.type}`)
      }
      const { zone: after, changeId } = await applyChange(db, held, { create, delete: [] }, staff.name, 'website')
      if (changeId === null) continue
      const workflowId = await publish(db, app, after, staff)
      if (workflowId !== null) workflowIds.push(workflowId)
      await changed(db, 'dns', held.id)
    }
    if (!found.size)
      throw refused(`${mailbox.domain} is in no zone of Innkeeper: copy the records to the zone of the domain`)
    audit.of('mailbox', id)
    audit.after({ domain: mailbox.domain, written })
    return { written, workflowIds }
  },
}

/** The zones that the caller may see, by names of the records that they contain. */
async function visibleZones(db: Db, wanted: readonly WantedRecord[], staff: Staff): Promise<Map<string, KeptZone>> {
  const found = await zonesOf(db, [...new Set(wanted.map(({ name }) => name))])
  const seen = new Map<number, boolean>()
  for (const { id } of found.values())
    if (!seen.has(id)) {
      const [row] = await db
        .select({ id: zones.id })
        .from(zones)
        .where(and(eq(zones.id, id), visibleTo(staff)))
      seen.set(id, row !== undefined)
    }
  return new Map([...found].filter(([, { id }]) => seen.get(id)))
}

async function inZone(db: Db, zone: KeptZone, name: string) {
  const below = name === zone.domain ? '@' : name.slice(0, -zone.domain.length - 1)
  const entries = await entriesOf(db, zone.id, [below])
  return entries.map((entry) => ({ type: entry.type, content: wireContent(entry) }))
}

/** Each try waits twice as long as the one before: four take half a minute, for resolvers that answer late. */
export function resolverOf({ settings }: App, tries = 4): Resolver {
  const resolver = new Resolver({ timeout: PATIENCE_MS, tries })
  if (settings.resolver) resolver.setServers([settings.resolver])
  return resolver
}

/** The record with the answer of name servers. */
async function checked(wanted: WantedRecord, zone: string | null, resolver: Resolver): Promise<MailRecord> {
  const line = `${wanted.name}. 3600 IN ${wanted.type} ${wanted.type === 'TXT' ? quoted(wanted.content) : wanted.content}`
  try {
    const now = rivals(wanted, await ask(resolver, wanted))
    const state = isRight(wanted, now) ? 'right' : now.length ? 'different' : 'missing'
    return { ...wanted, zone, line, now, state }
  } catch {
    return { ...wanted, zone, line, now: [], state: 'unknown' } // no name server answered
  }
}

/** Texts of more than 255 bytes are several strings in one record. */
const quoted = (text: string) => (text.match(/.{1,250}/g) ?? []).map((part) => `"${part}"`).join(' ')

async function ask(resolver: Resolver, { name, type }: WantedRecord): Promise<{ type: string; content: string }[]> {
  try {
    const contents = await answers(resolver, name, type)
    return contents.map((content) => ({ type, content: plain(content) }))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOTFOUND' || code === 'ENODATA') return []
    throw error
  }
}

async function answers(resolver: Resolver, name: string, type: WantedRecord['type']): Promise<string[]> {
  if (type === 'MX') return (await resolver.resolveMx(name)).map(({ priority, exchange }) => `${priority} ${exchange}.`)
  if (type === 'TXT') return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
  if (type === 'SRV')
    return (await resolver.resolveSrv(name)).map((one) => `${one.priority} ${one.weight} ${one.port} ${one.name}.`)
  return type === 'A' ? resolver.resolve4(name) : resolver.resolve6(name)
}
