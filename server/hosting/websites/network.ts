import { domain } from '@innkeeper/contract/kit/values'
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { liveRead } from '../../kit/agents/liveRead.ts'
import { rows } from '../../kit/db/db.ts'
import type { Work } from '../../kit/work/action.ts'
import { wwwOf } from './names.ts'

/** Websites of a network that are asked before and after a change. */
export const MOST_SITES = 20
/** Where a website of a network answers. */
export const NetworkSite = z.object({ host: domain, path: z.string().regex(/^\/[A-Za-z0-9._~%/-]{0,200}$/) })
const Found = z.object({ sites: z.array(z.unknown()) })

/**
 * The other websites of a network of WordPress, under names that lead to this website. Never fails: without an
 * answer, the first page of the website decides alone.
 */
export async function networkOf({ app, say }: Work, serverId: number, name: string) {
  const [row] = await rows<Row>(
    app.db,
    sql`select y.username, w.document_root as path, coalesce(v.application, w.found_application) as application,
        array(select a.domain from websites a where a.parent_id = w.website_id and a.kind = 'alias' and a.deleted_at is null) as aliases
      from websites w join server_states t on t.server_id = w.server_id
        join system_users y on y.system_user_id = w.system_user_id
        left join origin_vhosts v on v.website_id = w.website_id
      where w.domain = ${name} and w.server_id = ${serverId} and w.deleted_at is null
        and 'website-network.find' = any(t.operations)`,
  )
  if (!row?.application?.startsWith('wordpress-')) return []
  const names = [name, ...row.aliases].flatMap((one) => [one, ...wwwOf(one)])
  try {
    const { username, path } = row
    const { sites } = Found.parse(await liveRead(app, serverId, 'website-network.find', { username, path }))
    return sites
      .flatMap((one) => NetworkSite.safeParse(one).data ?? [])
      .filter(({ host, path }) => (host !== name || path !== '/') && isName(names, host))
      .slice(0, MOST_SITES)
  } catch (error) {
    say(`the other websites of the network of ${name} are not known: ${error instanceof Error ? error.message : error}`)
    return []
  }
}

interface Row {
  username: string
  path: string
  application: string | null
  aliases: string[]
}

const isName = (names: string[], host: string) =>
  names.some((name) => (name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name))
