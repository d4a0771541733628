import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'

interface Attached {
  path: string
  name: string
  type: string
  size: number
  sha256: string
}

/** The file of an entry; undefined if its owner has deleted the file. */
export async function attached(db: Db, fileId: number): Promise<Attached | undefined> {
  const [file] = await rows<Omit<Attached, 'size'> & { size: number | string }>(
    db,
    sql`select path, name, type, size, sha256 from files where file_id = ${fileId} and deleted_at is null`,
  )
  return file && { ...file, size: Number(file.size) } // bigint arrives as text
}
