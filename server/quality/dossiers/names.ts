import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { conflict, refused } from '../../kit/http/errors.ts'

/** Maximum up to which uses are counted. */
export const USES = 1000

const tables = {
  position: { table: 'dossier_positions', key: 'dossier_position_id' },
  team: { table: 'dossier_teams', key: 'dossier_team_id' },
  department: { table: 'departments', key: 'department_id' },
} as const
type Noun = keyof typeof tables

/** 422 beside the field if the row does not exist. */
export async function checkLive(db: Db, noun: Noun, id: number | null | undefined, field: string): Promise<void> {
  if (id === null || id === undefined) return
  const { table, key } = tables[noun]
  const [found] = await rows(
    db,
    sql`select from ${sql.identifier(table)} where ${sql.identifier(key)} = ${id} and deleted_at is null`,
  )
  if (!found) throw refused(`The ${noun} is gone`, { [field]: `The ${noun} is gone` })
}

/** 422 beside the field if a row would be above itself. The caller has locked with `arranging`. */
export async function checkAbove(
  db: Db,
  noun: 'position' | 'team',
  id: number,
  aboveId: number | null | undefined,
  field = noun === 'team' ? 'parentId' : 'positionId',
): Promise<void> {
  if (aboveId === null || aboveId === undefined) return
  const { table, key } = tables[noun]
  const parent = noun === 'team' ? sql`parent_id` : sql`position_id`
  const [loop] = await rows(
    db,
    sql`with recursive up as (
        select ${aboveId}::int as id
        union select t.${parent} from up join ${sql.identifier(table)} t on t.${sql.identifier(key)} = up.id where t.${parent} is not null)
      select from up where id = ${id}`,
  )
  if (loop) throw refused(`A ${noun} cannot be above itself`, { [field]: `It is below this ${noun}` })
}

/** Lock that serialises changes of parents, because two concurrent changes could make a cycle. */
export const arranging = (db: Db) => db.execute(sql`select pg_advisory_xact_lock(4400050)`)

/** The row that replaces a deleted row in use: 409 beside `replacementId` without one, 422 if it is not allowed. */
export async function replacement(
  db: Db,
  { noun, name, id, uses, isThere }: { noun: string; name: string; id: number; uses: number; isThere: SQL },
  replacementId: number | undefined,
): Promise<number | undefined> {
  if (replacementId === undefined) {
    if (!uses) return undefined
    throw conflict(`${name} is in use. Choose a ${noun} to replace it.`, {
      current: { uses },
      fields: { replacementId: `Choose the ${noun} that replaces it` },
    })
  }
  if (replacementId === id) throw refused(`Choose another ${noun}`, { replacementId: `Choose another ${noun}` })
  const [found] = await rows(db, sql`select ${isThere}`)
  if (!found || !Object.values(found)[0]) throw refused(`The ${noun} is gone`, { replacementId: `The ${noun} is gone` })
  return replacementId
}
