import { accessReviewItems, accessReviews } from '../../../access/accessReviews/tables.ts'
import { elevationRules, elevations } from '../../../access/elevations/tables.ts'
import type { TestApp } from '../../app.ts'

/** An elevation that waits, one that is held, and a rule. */
export async function makeElevations({ app: { db }, somebody }: TestApp): Promise<void> {
  const { id: userId } = await somebody([], 'elevated')
  const one = { userId, scopes: ['dns:zone:read'], minutes: 60 }
  await db.insert(elevations).values([
    { ...one, reason: 'waits' },
    { ...one, reason: 'is held', startsAt: new Date().toISOString(), endsAt: '2999-01-01T00:00:00Z' },
  ])
  await db.insert(elevationRules).values({ way: 'second-person', scopes: ['dns:zone:read'], maxMinutes: 60 })
}

/** An open access review with a row that waits, and one whose rows are decided. */
export async function makeReviews({ app: { db }, somebody }: TestApp): Promise<void> {
  const { id: userId } = await somebody([], 'reviewed')
  for (const name of ['open', 'decided']) {
    const [made] = await db
      .insert(accessReviews)
      .values({ name, unusedDays: 90, dueOn: '2999-01-01', reviewerId: userId })
      .returning({ id: accessReviews.id })
    await db.insert(accessReviewItems).values({
      ...{ reviewId: made!.id, userId, kind: 'department', refId: 1, name: 'waits', source: 'by hand', scopes: [] },
      ...{ unused: [], isProposed: false, ...(name === 'decided' && { name: 'goes', decision: 'remove' as const }) },
    })
  }
}
