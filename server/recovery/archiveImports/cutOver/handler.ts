import { missing } from '@innkeeper/contract/kit/access'
import { TTL } from '@innkeeper/contract/net/dns/records'
import type { archiveImports as contract } from '@innkeeper/contract/recovery/archiveImports/calls'
import { and, eq, inArray } from 'drizzle-orm'
import type { Handlers } from '../../../kit/http/api.ts'
import { denied, refused } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { type AddressRecord, ensureRecords } from '../../../net/dns/sites/ensure.ts'
import { zones } from '../../../net/dns/tables.ts'
import { visibleTo } from '../../../net/dns/visible.ts'
import { archiveImports } from '../tables.ts'
import { held, viewImport } from '../view.ts'
import { namesOf } from './names.ts'

/** Begins or ends the watch of the names. The worker looks them up: no name server is asked within a transaction. */
export const cutOver: Handlers<typeof contract>['cutOver'] = async ({ id, version, watch, change }, context) => {
  const { app, db, staff, audit } = context
  const row = await held(context, id, version)
  if (!row.made || (row.status !== 'verified' && row.status !== 'done'))
    throw refused(`This import is ${row.status}: a cut-over follows a verified import`)
  const names = await namesOf(db, row.made)
  const workflowIds: number[] = []
  if (change) {
    if (missing(staff, 'dns:record:update').length) throw denied(['dns:record:update'])
    const own = [...new Set(names.flatMap(({ zone }) => zone ?? []))]
    const seen = own.length
      ? await db
          .select({ domain: zones.domain })
          .from(zones)
          .where(and(inArray(zones.domain, own), visibleTo(staff)))
      : []
    const wanted = names.flatMap(({ name, zone, wanted: records }) => {
      const addresses = records.flatMap((text): AddressRecord[] => {
        const [type, content = ''] = text.split(' ')
        return type === 'A' || type === 'AAAA' ? [{ type, content, ttl: TTL.usual }] : []
      })
      return addresses.length && seen.some(({ domain }) => domain === zone) ? [{ name, records: addresses }] : []
    })
    if (!wanted.length)
      throw refused('No name of this import is in a zone of Innkeeper: change the records where its zone is', {
        change: 'Its zones are elsewhere',
      })
    workflowIds.push(...(await ensureRecords(db, app, wanted, staff)).workflowIds)
  }
  audit.before({ watching: row.watching })
  await db
    .update(archiveImports)
    .set({ names: kept(names, row.names ?? []), watching: watch, lookedAt: null, ...nextVersion })
    .where(eq(archiveImports.id, id))
  audit.after({ watching: watch, changed: workflowIds.length > 0 })
  await changed(db, 'archiveImports', id)
  return { data: await viewImport(db, id), workflowIds }
}

/** What was found before stays shown until the names are looked up again. */
const kept = (names: Awaited<ReturnType<typeof namesOf>>, before: typeof names) =>
  names.map((one) => {
    const was = before.find(({ name, what }) => name === one.name && what === one.what)
    return was && was.wanted.join() === one.wanted.join() ? { ...one, now: was.now, state: was.state } : one
  })
