import type { ItemPage } from '@innkeeper/contract/desk/trackers/shapes'
import { closed, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { holds } from '@innkeeper/contract/kit/access'
import { sql } from 'drizzle-orm'
import type { Context } from '../../../kit/http/api.ts'
import { denied, Refusal, refused } from '../../../kit/http/errors.ts'
import { info } from '../info.ts'
import { change, hold, withoutLeaver, write } from './change.ts'
import type { Fields } from './insert.ts'
import { readPage, readWhole, type Whole } from './view.ts'

type Version = number | undefined
type Act = 'archive' | 'unarchive' | 'delete' | 'restore'

/** Archives, deletes or restores a locked item. */
async function perform(context: Context, before: Whole, act: Act): Promise<void> {
  const { key, status } = before
  if (act === 'archive' && !closed.includes(status.group))
    throw refused(`${key} is ${status.name}: only completed and cancelled items can be archived`)
  const isSo = {
    archive: before.archivedAt,
    unarchive: !before.archivedAt,
    delete: before.deletedAt,
    restore: !before.deletedAt,
  }
  if (isSo[act]) return
  const columns = {
    archive: { archivedAt: sql`now()` },
    unarchive: { archivedAt: null },
    delete: { deletedAt: sql`now()` },
    restore: { deletedAt: null },
  }
  const isBack = act === 'restore' && !closed.includes(status.group)
  await write(context, before, { ...columns[act], ...(isBack && (await withoutLeaver(context.db, before))) })
}

export const act =
  (tracker: Tracker, name: Act) =>
  async (id: number, context: Context, version?: Version): Promise<ItemPage> => {
    const deleted = name === 'restore'
    await perform(context, await hold(context, tracker, id, { version, deleted }), name)
    return readPage(context, tracker, id)
  }

/** Throws a 403 for fields and actions that need another permission than the call. */
function checkRights({ staff }: Context, tracker: Tracker, act: Act | 'change', fields: Fields): void {
  const { status, assign, archive, remove } = info[tracker]
  const needed = [
    ...(fields.statusId === undefined ? [] : [status]),
    ...(fields.assigneeId === undefined ? [] : [assign]),
    ...(act === 'archive' || act === 'unarchive' ? [archive] : []),
    ...(act === 'delete' || act === 'restore' ? [remove] : []),
  ]
  const lacking = needed.filter((scope) => !holds(staff, scope))
  if (lacking.length) throw denied(lacking)
}

/** Changes each item. Returns the items that were left out, with the reason. */
export async function bulk(
  context: Context,
  tracker: Tracker,
  { ids, act = 'change', ...fields }: Fields & { ids: readonly number[]; act?: Act | 'change' | undefined },
) {
  checkRights(context, tracker, act, fields)
  const { db, audit } = context
  const changed: string[] = []
  const skipped: { id: number; key: string; reason: string }[] = []
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    try {
      const before = await hold(context, tracker, id, { deleted: act === 'restore' })
      if (act === 'change') await change(context, before, fields)
      else await perform(context, before, act)
      changed.push(before.key)
    } catch (error) {
      if (!(error instanceof Refusal) || error.body.fields) throw error // a wrong field is wrong for all of them
      const found = error.status === 404 ? undefined : await readWhole(db, tracker, id)
      skipped.push({ id, key: found?.key ?? String(id), reason: [error.body.message].flat().join(', ') })
    }
  }
  audit.before(undefined)
  audit.after({ act, ...fields, items: changed.slice(0, 100), skipped: skipped.length })
  return { changed: changed.length, skipped }
}
