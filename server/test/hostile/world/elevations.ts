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
