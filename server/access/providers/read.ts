import { createHash } from 'node:crypto'
import type { Provider } from '@innkeeper/contract/access/providers'
import { sql } from 'drizzle-orm'
import { isoOf } from '../../kit/db/columns.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { personName } from '../../kit/db/people.ts'
import { notFound } from '../../kit/http/errors.ts'

export const secretOf = (id: number) => `identity-provider ${id}`

export const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

type Instants = 'createdAt' | 'updatedAt' | 'scimMadeAt' | 'scimUsedAt'
type Row = Omit<Provider, Instants> & Record<Instants, string | Date>

/** Identity providers by name, or the one with this id. There are few. */
export async function readProviders(db: Db, id?: number): Promise<Provider[]> {
  const found = await rows<Row>(
    db,
    sql`select p.provider_id as id, p.version, p.created_at as "createdAt", p.updated_at as "updatedAt", p.name, p.issuer,
        p.client_id as "clientId", p.scopes, p.groups_claim as "groupsClaim", p.is_enabled as "isEnabled",
        p.makes_accounts as "makesAccounts", p.links_by_email as "linksByEmail", p.leavers, p.heir_id as "heirId",
        ${personName('h')} as "heirName", p.scim_made_at as "scimMadeAt", p.scim_used_at as "scimUsedAt",
        exists (select from secrets s where s.name = ${secretOf(0).slice(0, -1)} || p.provider_id) as "hasSecret",
        (select count(*)::int from identities i join users u on u.user_id = i.user_id and u.deleted_at is null
          where i.provider_id = p.provider_id) as people,
        coalesce((select json_agg(json_build_object('group', m.group_name, 'roleId', r.role_id, 'roleName', r.name,
            'departmentId', d.department_id, 'departmentName', d.name) order by m.position)
          from group_mappings m left join roles r on r.role_id = m.role_id and r.deleted_at is null
          left join departments d on d.department_id = m.department_id and d.deleted_at is null
          where m.provider_id = p.provider_id), '[]') as mappings
      from identity_providers p left join users h on h.user_id = p.heir_id and h.deleted_at is null
      where ${id === undefined ? sql`true` : sql`p.provider_id = ${id}`} order by lower(p.name), p.provider_id`,
  )
  const iso = (value: string | Date | null) => value && isoOf(value)
  return found.map((row) => ({
    ...row,
    createdAt: isoOf(row.createdAt),
    updatedAt: isoOf(row.updatedAt),
    scimMadeAt: iso(row.scimMadeAt),
    scimUsedAt: iso(row.scimUsedAt),
  }))
}

export async function readProvider(db: Db, id: number): Promise<Provider> {
  const [found] = await readProviders(db, id)
  if (!found) throw notFound('identity provider', id)
  return found
}
