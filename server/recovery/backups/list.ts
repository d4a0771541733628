import type { SQL } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { pageKeys } from '../../kit/db/page.ts'

type Source = Parameters<typeof pageKeys>[2]

/** A page of a list as `[rows, total]`. */
export async function pairOf<T>(
  db: Db,
  input: Parameters<typeof pageKeys>[1],
  source: Source,
  read: (db: Db, ids: number[]) => Promise<T[]>,
): Promise<[T[], number]> {
  const { ids, total } = await pageKeys(db, input, source)
  return [await read(db, ids), total]
}

/** The conditions without the absent ones, for optional filters. */
export const given = (...all: (SQL | false | undefined)[]): SQL[] => all.flatMap((one) => one || [])
