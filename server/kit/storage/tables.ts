import { sql } from 'drizzle-orm'
import { bigint, boolean, index, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../db/columns.ts'

/** One file in storage. Its row is there before its first byte and goes after its last; see blobs.ts. */
export const blobs = pgTable(
  'blobs',
  {
    key: text().primaryKey(),
    /** `arriving` until the call that brought it succeeded; `gone` as soon as nothing refers to it. */
    state: text({ enum: ['arriving', 'kept', 'gone'] })
      .notNull()
      .default('arriving'),
    name: text().notNull(),
    type: text().notNull(),
    size: bigint({ mode: 'number' }).notNull().default(0),
    sha256: text().notNull().default(''),
    /** Whoever has its address may read it: avatars. */
    open: boolean().notNull().default(false),
    createdAt: instant().notNull().default(sql`now()`),
    touchedAt: instant().notNull().default(sql`now()`),
  },
  (t) => [index('blobs_leaving').on(t.touchedAt).where(sql`${t.state} <> 'kept'`)],
)
