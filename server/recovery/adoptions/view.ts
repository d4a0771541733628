import { type Adoption, type AdoptionView, FoundMachine } from '@innkeeper/contract/recovery/adoptions/shapes'
import { desc, eq, sql } from 'drizzle-orm'
import { byIds } from '../../kit/db/byIds.ts'
import type { Db } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import type { Context } from '../../kit/http/api.ts'
import { notFound } from '../../kit/http/errors.ts'
import { checkVersion } from '../../kit/http/version.ts'
import { servers } from '../../machines/servers/tables.ts'
import { archiveImports } from '../archiveImports/tables.ts'
import { readPlaces } from './places/view.ts'
import { adoptionImports, adoptionPlaces, adoptions } from './tables.ts'

/** A list never reads all that was found: it may be a megabyte. */
const selectAdoptions = byIds((db, isWanted) =>
  db
    .select({
      ...{
        id: adoptions.id,
        version: adoptions.version,
        createdAt: adoptions.createdAt,
        updatedAt: adoptions.updatedAt,
      },
      ...{ serverId: adoptions.serverId, serverName: servers.name, status: adoptions.status, reason: adoptions.reason },
      panel: sql<string | null>`${adoptions.found} ->> 'panel'`,
      accounts: sql<number>`coalesce(jsonb_array_length(${adoptions.found} -> 'accounts'), 0)`,
      websites: sql<number>`(select coalesce(sum(jsonb_array_length(a -> 'websites')), 0)::int
        from jsonb_array_elements(${adoptions.found} -> 'accounts') a)`,
      remaining: sql<number | null>`jsonb_array_length(${adoptions.elsewhere})`,
      ...{ by: adoptions.staffName, workflowId: adoptions.workflowId },
    })
    .from(adoptions)
    .innerJoin(servers, eq(servers.id, adoptions.serverId))
    .where(isWanted(adoptions.id)),
)

export async function readAdoptions(db: Db, ids: number[]): Promise<Adoption[]> {
  const found = await selectAdoptions(db, ids)
  return inOrder(
    ids,
    found.map(({ panel, accounts, websites, ...one }) => ({
      ...one,
      panel: FoundMachine.shape.panel.nullable().parse(panel),
      counts: panel === null ? null : { accounts, websites },
    })),
  )
}

export async function readAdoption(db: Db, id: number): Promise<Adoption> {
  const [found] = await readAdoptions(db, [id])
  if (!found) throw notFound('adoption', id)
  return found
}

async function rowOf(db: Db, id: number, { lock = false } = {}) {
  const select = db.select().from(adoptions).where(eq(adoptions.id, id))
  const [row] = await (lock ? select.for('update') : select)
  if (!row) throw notFound('adoption', id)
  return row
}

/** Locks and reads an adoption, and notes it for the action log. */
export async function held({ db, audit }: Context, id: number, version?: number) {
  const row = await rowOf(db, id, { lock: true })
  checkVersion(row, version, `adoption ${id}`)
  audit.of('adoption', id)
  return row
}

export async function viewAdoption(db: Db, id: number): Promise<AdoptionView> {
  const { found, elsewhere, checkedAt } = await rowOf(db, id)
  const imports = await db
    .select({
      id: archiveImports.id,
      account: adoptionImports.account,
      serverName: servers.name,
      status: archiveImports.status,
      made: archiveImports.made,
    })
    .from(adoptionImports)
    .innerJoin(archiveImports, eq(archiveImports.id, adoptionImports.importId))
    .innerJoin(servers, eq(servers.id, archiveImports.serverId))
    .where(eq(adoptionImports.adoptionId, id))
    .orderBy(desc(archiveImports.id))
    .limit(200)
  return {
    ...(await readAdoption(db, id)),
    ...{ found, elsewhere, checkedAt, places: await readPlaces(db, eq(adoptionPlaces.adoptionId, id)) },
    imports: imports.map(({ made, ...one }) => ({
      ...one,
      websites: [...(made?.websites ?? []), ...(made?.again?.websites ?? [])].map(({ from }) => from),
    })),
  }
}
