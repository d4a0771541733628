import type { Overall, UserFigures } from '@innkeeper/contract/quality/qc/statistics'
import { populations } from '@innkeeper/contract/quality/qc/values'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import { readQueueSettings } from '../settings/queue.ts'
import { agreementOf } from './agreement.ts'
import type { Asked } from './asked.ts'
import { type Sums, sumUpReviews } from './sums.ts'

/** Number, mean and sample standard deviation. */
function figuresOf({ n, sum, squares }: Sums) {
  const mean = n ? sum / n : null
  const spread = n > 1 ? Math.sqrt(Math.max(0, (squares - (sum * sum) / n) / (n - 1))) : null
  return { n, mean, spread }
}

interface Named {
  id: number
  name: string
  departmentName: string | null
}
async function namesOf(db: Db, ids: number[]): Promise<Map<number, Named>> {
  const found = await rows<Named>(
    db,
    sql`select u.user_id as id, ${personName('u')} as name, d.name as "departmentName"
      from users u left join departments d on d.department_id = u.department_id where u.user_id = any(${sql.param(ids)}::int[])`,
  )
  return new Map(found.map((one) => [one.id, one]))
}

/** All figures of the reviews that match. */
export async function overall(db: Db, asked: Asked): Promise<Overall> {
  const { total, weeks, ofPopulation, departments, persons, types, histogram } = await sumUpReviews(
    db,
    asked,
    'reviewer',
  )
  const figures = figuresOf(total)
  const { minimumN } = await readQueueSettings(db, asked.kind ?? 'chat')
  return {
    ...figures,
    ...{ withoutScore: total.withoutScore, failed: total.failed, minimumN, histogram },
    periods: [...weeks].map(([period, sums]) => ({ period, ...figuresOf(sums) })),
    populations: populations
      .flatMap((population, n) => {
        const sums = ofPopulation[n]
        return sums && sums.n + sums.withoutScore > 0 ? [{ population, ...figuresOf(sums) }] : []
      })
      .sort((a, b) => a.population.localeCompare(b.population)),
    departments: await ofDepartments(db, departments),
    types: [...types.values()]
      .sort((a, b) => a.position - b.position || a.typeId - b.typeId)
      .map(({ typeId, typeName, notApplicable, ...sums }) => ({ typeId, typeName, notApplicable, ...figuresOf(sums) })),
    reviewers: await ofReviewers(db, persons, figures.mean, asked),
  }
}

/** Entries of a sparse array whose index is an id, as `[id, value]`. */
const withIds = <T>(found: readonly T[]): [number, T][] => Object.entries(found).map(([id, one]) => [Number(id), one])

async function ofDepartments(db: Db, found: readonly Sums[]): Promise<Overall['departments']> {
  const departments = await rows<{ id: number; name: string }>(
    db,
    sql`select department_id as id, name from departments where department_id = any(${sql.param(Object.keys(found).map(Number))}::int[])`,
  )
  const names = new Map(departments.map(({ id, name }) => [id, name]))
  return withIds(found)
    .sort(([a, one], [b, other]) => other.n - one.n || a - b)
    .map(([id, sums]) => ({ department: id ? { id, name: names.get(id) ?? `#${id}` } : null, ...figuresOf(sums) }))
}

const REVIEWERS = 200

async function ofReviewers(
  db: Db,
  found: readonly Sums[],
  mean: number | null,
  asked: Asked,
): Promise<Overall['reviewers']> {
  const most = withIds(found)
    .sort(([a, one], [b, other]) => other.n - one.n || a - b)
    .slice(0, REVIEWERS)
  const ids = most.map(([id]) => id)
  const names = await namesOf(db, ids)
  const agreements = await agreementOf(db, asked, ids)
  return most.flatMap(([id, sums]) => {
    const known = names.get(id)
    if (!known) return []
    const figures = figuresOf(sums)
    const severity = figures.mean === null || mean === null ? null : figures.mean - mean
    const agreement = agreements.get(known.id) ?? null
    return [{ reviewer: { id: known.id, name: known.name }, ...figures, severity, agreement }]
  })
}

const AGENTS = 2000

/**
 * Figures of each agent. Agents with at least `minimumN` reviews have a rank, best mean first; equal means share it.
 */
export async function perAgent(
  db: Db,
  asked: Asked,
): Promise<{ items: UserFigures[]; total: number; minimumN: number }> {
  const agents = withIds((await sumUpReviews(db, asked, 'agent')).persons)
  const { minimumN } = await readQueueSettings(db, asked.kind ?? 'chat')
  const names = await namesOf(
    db,
    agents.map(([id]) => id),
  )
  const items = agents
    .flatMap(([id, sums]) => {
      const known = names.get(id)
      if (!known) return []
      const { name, departmentName } = known
      return [{ agent: { id, name }, departmentName, ...figuresOf(sums), failed: sums.failed }]
    })
    .sort(
      (a, b) =>
        Number(b.n >= minimumN) - Number(a.n >= minimumN) || (b.mean ?? -1) - (a.mean ?? -1) || a.agent.id - b.agent.id,
    )
    .slice(0, AGENTS)
  let rank = 0
  const ranked = items.map((one, at) => {
    if (one.n < minimumN || one.mean === null) return { ...one, rank: null }
    if (items[at - 1]?.mean !== one.mean || at === 0) rank = at + 1
    return { ...one, rank }
  })
  return { items: ranked, total: ranked.length, minimumN }
}
