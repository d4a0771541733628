import type { SQL } from 'drizzle-orm'
import type { Db } from '../kit/db/db.ts'
import { pageKeys } from '../kit/db/page.ts'

type Source = Parameters<typeof pageKeys>[2]

/** A page of a list as the pair of its rows and their total. */
export async function pairOf<T>(
  db: Db,
  input: Parameters<typeof pageKeys>[1],
  source: Source,
  read: (db: Db, ids: number[]) => Promise<T[]>,
): Promise<[T[], number]> {
  const { ids, total } = await pageKeys(db, input, source)
  return [await read(db, ids), total]
}

/** The conditions whose filter was given. */
export const given = (...all: (SQL | false | undefined)[]): SQL[] => all.flatMap((one) => one || [])
