import type { Finding } from '@innkeeper/contract/hosting/moves/shapes'
import { missing } from '@innkeeper/contract/kit/access'
import { allNames } from '../../../hosting/websites/names.ts'
import { comesAlong, type Part } from '../../../hosting/websites/parts/parts.ts'
import { readSites } from '../../../hosting/websites/site.ts'
import { denied, refused } from '../../../kit/http/errors.ts'
import { answersOf } from './ensure.ts'
import { bringRecords, keepRecords, recordsClosed, recordsNow } from './keep.ts'
import { leading, leavingNames, linesOf, ttlBack, turnOf, zoneFor } from './records.ts'

/** DNS records of a website in Innkeeper's own zones. They point to its server, also after a move. */
export const dnsPart: Part = {
  kind: 'dns-record',
  title: 'DNS records',
  order: 85,
  along: { ...comesAlong, copy: 'A copy has no DNS records' },
  async list(db, ids) {
    const found = []
    for (const site of await readSites(db, ids))
      for (const answer of await answersOf(db, allNames(site)))
        if (answer.records.length)
          found.push({
            websiteId: site.id,
            type: 'dns-record',
            id: site.id,
            name: answer.name,
            where: '',
            detail: linesOf(answer),
          })
    return found
  },

  async create({ db, staff }, site, { dns }) {
    if (!dns) return {}
    if (missing(staff, 'dns:record:update').length) throw denied(['dns:record:update'])
    if (!(await zoneFor(db, site.domain, staff)))
      throw refused(`No zone of Innkeeper contains ${site.domain}`, { dns: 'No zone contains this name' })
    return { after: await leading(db, site) }
  },
  preview: async ({ db, staff }, site, { dns }) =>
    dns && (await zoneFor(db, site.domain, staff)) ? { after: await leading(db, site) } : {},
  aboutName: async ({ db, staff }, domain) => ({ zone: await zoneFor(db, domain, staff) }),

  /**
   * Points new names to the server unless they already lead elsewhere; removes the records of names that the website
   * gives up.
   */
  async rename(db, site, to) {
    const [before, after] = [new Set(allNames(site)), new Set(allNames(to))]
    const fresh = await answersOf(
      db,
      [...after].filter((name) => !before.has(name)),
    )
    const free = fresh.filter(({ records }) => !records.length).map(({ name }) => name)
    const gone = [...before].filter((name) => !after.has(name))
    const steps = [...(free.length ? await leading(db, to, free) : []), ...(await leavingNames(db, site, gone))]
    const changes = fresh.map((one) => ({
      title: 'DNS',
      before: one.records.length ? `${one.name} ${linesOf(one)}` : `${one.name} leads nowhere`,
      after: one.records.length ? `${one.name} ${linesOf(one)}` : `${one.name} leads to ${to.server.name}`,
    }))
    return { steps, changes }
  },

  async moveCheck(db, site, targetServerId): Promise<Finding[]> {
    const { turned, elsewhere, foreign } = await turnOf(db, site, site.server.id, targetServerId)
    const add = (level: Finding['level'], text: string): Finding => ({ key: 'dns', title: 'DNS', level, text })
    const list = (all: { name: string }[]) => all.map(({ name }) => name).join(', ')
    return [
      ...(turned.length ? [add('ok', `${list(turned)}: in zones of Innkeeper, will point to the new server`)] : []),
      ...(elsewhere.length ? [add('warning', `${list(elsewhere)}: point elsewhere, and stay unchanged`)] : []),
      ...(foreign.length
        ? [
            add(
              'warning',
              `${foreign.join(', ')}: in zones of others. Have them changed before the observation period ends; until then, the old server passes requests on`,
            ),
          ]
        : []),
    ]
  },

  async move(db, { from, to }) {
    const { ttl, steps } = await turnOf(db, from, from.server.id, to.server.id)
    return { files: [], prepare: ttl, frozen: [], after: steps }
  },

  keep: keepRecords,
  closed: recordsClosed,
  now: recordsNow,
  bringBack: bringRecords,
  leave: (db, site) => ttlBack(db, site),
  namesEnded: leavingNames,
}
