import type { AccessItem, AccessReview } from '@innkeeper/contract/access/accessReviews'
import { byteOrderMark, csvLine } from '@innkeeper/contract/kit/csv'
import type { Written } from '@innkeeper/contract/kit/transfer'
import type { Db } from '../../kit/db/db.ts'
import { itemsAfter } from './read.ts'

/** Number of rows in memory at a time. */
const BATCH = 500
const heading = [
  ...[
    'Review',
    'State',
    'Began',
    'Due',
    'Ended',
    'Ended by',
    'Person',
    'Program',
    'Holds',
    'Name',
    'From',
    'Permissions',
  ],
  ...['Never used', 'Last used', 'Proposed', 'Decision', 'Decided by', 'Decided', 'Note', 'Outcome'],
]

/** A review with all its rows, streamed. */
export const reviewFile = (db: Db, review: AccessReview): Written => ({
  name: `access-review-${review.id}.csv`,
  type: 'text/csv; charset=utf-8',
  parts: lines(db, review),
})

async function* lines(db: Db, review: AccessReview): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(heading)
  const about = [review.name, review.state, review.createdAt, review.dueOn, review.endedAt, review.endedByName]
  let last = 0
  for (;;) {
    const found = await itemsAfter(db, review.id, last, BATCH)
    yield found.map((item) => csvLine([...about, ...cellsOf(item)])).join('')
    if (found.length < BATCH) return
    last = found.at(-1)!.id
  }
}

const yes = (is: boolean) => (is ? 'yes' : 'no')
const cellsOf = (item: AccessItem) => [
  ...[item.userName, yes(item.isService), item.kind, item.name, item.source, item.scopes, item.unused.join(' ')],
  ...[
    item.lastUsedAt,
    yes(item.isProposed),
    item.decision,
    item.decidedByName,
    item.decidedAt,
    item.note,
    item.outcome,
  ],
]
