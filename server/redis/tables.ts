import type { RedisSeen } from '@innkeeper/contract/redis'
import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant, stored } from '../kit/db/columns.ts'
import { websites } from '../websites/tables.ts'

/** The Redis of a website, as long as it has one or is to get one; in the trash too, as it comes back with its website. */
export const redisCaches = pgTable('redis_caches', {
  websiteId: integer()
    .primaryKey()
    .references(() => websites.id),
  state: text({ enum: ['enabling', 'on', 'disabling'] }).notNull(),
  /** What it said when it was last asked, or why that came to nothing. */
  seen: jsonb().$type<RedisSeen>(),
  seenAt: instant(),
  problem: text(),
  ...stored(),
})
