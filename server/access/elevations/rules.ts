import type { elevations as contract } from '@innkeeper/contract/access/elevations'
import { eq } from 'drizzle-orm'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { notFound, outOfReach, refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { mayChangeRole } from '../rights/reach.ts'
import { mayGive } from '../rights/rights.ts'
import { readRole } from '../roles/read.ts'
import { readRules } from './read.ts'
import { elevationRules } from './tables.ts'

/** Rules give permissions, so that their makers need the permissions and the reach of whom they give them to. */
export const ruleHandlers: Pick<Handlers<typeof contract>, 'rules' | 'createRule' | 'removeRule'> = {
  async rules(_, { db }) {
    const items = await readRules(db)
    return { items, total: items.length }
  },

  async createRule({ roleId, forRoleId, ...fields }, context) {
    const { db, staff, audit } = context
    const scopes = roleId === null ? [...new Set(fields.scopes)].sort() : []
    if (roleId === null && !scopes.length) throw refused('Choose permissions or a role', { scopes: 'Choose some' })
    if (roleId !== null) await mayChangeRole(db, staff, await chosen(context, roleId, 'roleId'))
    else mayGive(staff, scopes, 'scopes')
    if (forRoleId !== null) await chosen(context, forRoleId, 'forRoleId')
    await checkWhom(context, forRoleId)
    const [made] = await db
      .insert(elevationRules)
      .values({ ...fields, scopes, roleId, forRoleId, createdBy: staff.id })
      .returning({ id: elevationRules.id })
    const [rule] = await readRules(db, made!.id)
    audit.of('elevation-rule', rule!.id)
    audit.after(rule)
    await changed(db, 'elevations')
    return rule!
  },

  async removeRule({ id }, context) {
    const { db, staff, audit } = context
    await db.select({ id: elevationRules.id }).from(elevationRules).where(eq(elevationRules.id, id)).for('update')
    const [rule] = await readRules(db, id)
    if (!rule) throw notFound('rule of elevation', id)
    audit.of('elevation-rule', id)
    audit.before(rule)
    mayGive(staff, rule.scopes, 'id') // without a rule that refuses, others could ask
    await checkWhom(context, rule.forRoleId)
    await db.delete(elevationRules).where(eq(elevationRules.id, id))
    await changed(db, 'elevations')
  },
}

async function checkWhom(context: Context, forRoleId: number | null): Promise<void> {
  const { db, staff } = context
  if (staff.isAdmin) return
  if (forRoleId === null) throw outOfReach('Only administrators make and remove rules for everybody')
  await mayChangeRole(db, staff, await chosen(context, forRoleId, 'forRoleId'))
}

const chosen = ({ db }: Context, id: number, field: string) =>
  readRole(db, id).catch(() => {
    throw refused(`Role ${id} is gone`, { [field]: 'Is gone. Choose another.' })
  })
