import { webServers, webServerTitles } from '@innkeeper/contract/machines/servers/shapes'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { readSites } from '../site.ts'
import type { Site } from '../siteSteps.ts'
import { websites } from '../tables.ts'
import { type Along, type Artefact, comesAlong, type Part } from './parts.ts'

/**
 * A part that every website has on its web server. It has no hooks, because its steps are the first and last of each
 * workflow (steps.ts), with the steps of the other parts between them.
 */
const own = (
  kind: string,
  title: string,
  order: number,
  show: (site: Site) => Pick<Artefact, 'id' | 'name' | 'detail'>,
  has: (site: Site) => boolean = () => true,
  along: Partial<Along> = {},
): Part => ({
  kind,
  title,
  order,
  along: { ...comesAlong, ...along },
  list: async (db, ids) =>
    (await sitesOf(db, ids)).filter(has).map((site) => ({
      websiteId: site.id,
      type: kind,
      where: site.server.name,
      ...show(site),
    })),
})

/** Reads the sites of these ids without aliases, which have no resources of their own. */
async function sitesOf(db: Db, ids: number[]): Promise<Site[]> {
  const found = await db
    .select({ id: websites.id, kind: websites.kind })
    .from(websites)
    .where(inArray(websites.id, ids))
  const aliases = new Set(found.flatMap(({ id, kind }) => (kind === 'alias' ? [id] : [])))
  return readSites(
    db,
    ids.filter((id) => !aliases.has(id)),
  )
}

/** Sub-websites, aliases and staging copies: rows of their own that belong to another website. */
const members: Part = {
  kind: 'website',
  title: 'Members of the website',
  order: 95,
  along: {
    backup: 'Sub-websites and staging copies are backed up on their own, and aliases are noted but not restored',
    newWebsite: 'Sub-websites, aliases and staging copies stay with the former website',
    copy: 'Sub-websites, aliases and other copies are not copied',
    move: true,
  },
  async list(db, ids) {
    const found = await db
      .select({ website: websites, where: servers.name })
      .from(websites)
      .innerJoin(servers, eq(servers.id, websites.serverId))
      .where(and(inArray(websites.parentId, ids), isNull(websites.deletedAt)))
      .orderBy(websites.id)
    return found.map(({ website: { id, parentId, kind, domain }, where }) => ({
      websiteId: parentId ?? id, // the query selects rows with a parent only
      type: 'website',
      id,
      name: domain,
      where,
      detail: kindWords[kind],
    }))
  },
}
const kindWords = { main: 'website', sub: 'sub-website', staging: 'staging copy', alias: 'alias' } as const

/** The parts of the domain of websites itself. */
export const ownParts: readonly Part[] = [
  own(
    'system-user',
    'System user',
    10,
    ({ systemUser: { id, username }, plan }) => ({
      id,
      name: username,
      detail: `${plan.memoryMb} MB, ${plan.cpuPercent}% CPU`,
    }),
    () => true,
    {
      backup: 'SFTP access and remote access to databases belong to the account and are in no backup',
      newWebsite: 'SFTP access and remote access to databases are set up anew',
      copy: 'Cron jobs, SFTP access and remote access to databases are not copied',
    },
  ),
  own('document-root', 'Document root', 20, ({ id, documentRoot }) => ({
    id,
    name: documentRoot,
    detail: 'its files',
  })),
  own('php-pool', 'PHP pool', 30, ({ systemUser: { id, username }, phpVersion }) => ({
    id,
    name: username,
    detail: `PHP ${phpVersion}`,
  })),
  own(
    'website-logs',
    'Logs',
    80,
    ({ id, domain }) => ({ id, name: domain, detail: 'access and error log' }),
    () => true,
    {
      backup: 'Access and error logs are in no backup',
      newWebsite: 'Logs begin empty',
      copy: 'Logs begin empty',
    },
  ),
  ...webServers.map((web) =>
    own(
      `${web}-site`,
      `${webServerTitles[web]} site`,
      90,
      ({ id, domain, aliases, redirects }) => ({
        id,
        name: domain,
        detail: [...aliases, ...redirects.map((name) => `${name} (301)`)].join(', '),
      }),
      ({ server }) => server.webServer === web,
    ),
  ),
  members,
]
