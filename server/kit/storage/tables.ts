import { sql } from 'drizzle-orm'
import { bigint, boolean, index, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../db/columns.ts'

/** One file in storage. The row exists before the first byte and is deleted after the last; see blobs.ts. */
export const blobs = pgTable(
  'blobs',
  {
    key: text().primaryKey(),
    /** `arriving` until the uploading call succeeds; `gone` after the last reference is removed. */
    state: text({ enum: ['arriving', 'kept', 'gone'] })
      .notNull()
      .default('arriving'),
    name: text().notNull(),
    type: text().notNull(),
    size: bigint({ mode: 'number' }).notNull().default(0),
    sha256: text().notNull().default(''),
    /** Readable for anyone with the address, for example avatars. */
    open: boolean().notNull().default(false),
    createdAt: instant().notNull().default(sql`now()`),
    touchedAt: instant().notNull().default(sql`now()`),
  },
  (t) => [index('blobs_leaving').on(t.touchedAt).where(sql`${t.state} <> 'kept'`)],
)
