import type { RedisSeen } from '@innkeeper/contract/hosting/redis'
import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant, stored } from '../../kit/db/columns.ts'
import { websites } from '../websites/tables.ts'

/**
 * Redis caches of websites, including those being created and those of websites in the trash, which are restored
 * together.
 */
export const redisCaches = pgTable('redis_caches', {
  websiteId: integer()
    .primaryKey()
    .references(() => websites.id),
  state: text({ enum: ['enabling', 'on', 'disabling'] }).notNull(),
  /** The last status from the server; `problem` has the reason if the last request failed. */
  seen: jsonb().$type<RedisSeen>(),
  seenAt: instant(),
  problem: text(),
  ...stored(),
})
