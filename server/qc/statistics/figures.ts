import type { Overall, UserFigures } from '@innkeeper/contract/qc/statistics'
import { kinds, type Population, populations } from '@innkeeper/contract/qc/values'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { all } from '../../kit/db/page.ts'
import { readQueueSettings } from '../settings/queue.ts'
import { agreementOf } from './agreement.ts'
import { type Asked, grouped, matching } from './asked.ts'
import { type Cover, coverOf, sums, uncovered } from './weeks.ts'

/** Sums of a group, as the database has them. */
interface Sums {
  n: number
  sum: number
  squares: number
}
interface Group extends Sums {
  withoutScore: number
  failed: number
  histogram: number[]
  week: string | null
  population: Population | null
  personId: number | null
  /** Which of the three columns the group is not grouped by, as PostgreSQL's `grouping`. */
  by: number
}
const BY = { all: 7, week: 3, population: 5, person: 6 } as const

/** Number, mean and sample standard deviation. */
function figuresOf({ n, sum, squares }: Sums) {
  const mean = n ? sum / n : null
  const spread = n > 1 ? Math.sqrt(Math.max(0, (squares - (sum * sum) / n) / (n - 1))) : null
  return { n, mean, spread }
}

const made = sql.raw(sums.map(([name, how]) => `${how} as ${name}`).join(', '))
const summed = sql.raw(sums.map(([name]) => `coalesce(sum(${name}), 0) as ${name}`).join(', '))
const list = sql.raw(sums.map(([name]) => name).join(', '))
const buckets = sql.raw(sums.flatMap(([name]) => (/^h\d$/.test(name) ? [`${name}::int`] : [])).join(', '))

/** Sums per week, population and person: of whole weeks as they are stored, of the rest from the reviews. */
const parts = (asked: Asked, cover: Cover, by: 'agent' | 'reviewer', persons: number[] | undefined) => {
  const person = sql.raw(`r.${by}_id`)
  const stored = [sql`r.by = ${by}`, cover.weeks, ...grouped(asked)]
  if (persons) stored.push(sql`r.person_id = any(${sql.param(persons)}::int[])`)
  return sql`select r.week, r.population, r.person_id, ${list} from qc_week_reviews r where ${all(stored)}
    union all select date_trunc('week', r.submitted_at)::date, r.population, ${person}, ${made} from qc_reviews r
      where ${all([...matching(asked), cover.rest])} group by 1, 2, 3`
}

/** Sums of all, per week, per population and per person. */
const groups = (db: Db, from: SQL): Promise<Group[]> =>
  rows<Group>(
    db,
    sql`select to_char(week, 'YYYY-MM-DD') as week, population, person_id as "personId", by, n::int as n, sum, squares,
        without_score::int as "withoutScore", failed::int as failed, array[${buckets}] as histogram
      from (select week, population, person_id, grouping(week, population, person_id) as by, ${summed}
        from (${from}) as parts group by grouping sets ((), (week), (population), (person_id))) as summed`,
  )

interface Named {
  id: number
  name: string
  departmentName: string | null
}
async function namesOf(db: Db, ids: number[]): Promise<Map<number, Named>> {
  const found = await rows<Named>(
    db,
    sql`select u.user_id as id, u.first_name || ' ' || u.last_name as name, d.name as "departmentName"
      from users u left join departments d on d.department_id = u.department_id where u.user_id = any(${sql.param(ids)}::int[])`,
  )
  return new Map(found.map((one) => [one.id, one]))
}

/**
 * Everything about the reviews that match. Sums hold no agents beside reviewers: who reviewed some agents is read from
 * the reviews, and so is all with both filters.
 */
export async function overall(db: Db, asked: Asked): Promise<Overall> {
  const { agent, reviewer } = asked
  const cover = agent && reviewer ? uncovered : await coverOf(db, asked)
  const isOfAgents = agent !== undefined && !reviewer
  // together: none of these reads waits for another one
  const [found, types, theirs] = await Promise.all([
    groups(db, parts(asked, cover, isOfAgents ? 'agent' : 'reviewer', isOfAgents ? agent : reviewer)),
    ofTypes(db, asked, cover),
    isOfAgents ? whoReviewed(db, asked) : undefined,
  ])
  const of = (by: number) => found.filter((group) => group.by === by)
  const [total] = of(BY.all)
  const figures = figuresOf(total ?? { n: 0, sum: 0, squares: 0 })
  const { minimumN } = await readQueueSettings(db, asked.kind ?? 'chat')
  return {
    ...figures,
    withoutScore: total?.withoutScore ?? 0,
    failed: total?.failed ?? 0,
    minimumN,
    histogram: total?.histogram.map((n) => n ?? 0) ?? Array.from({ length: 10 }, () => 0),
    periods: of(BY.week)
      .map((group) => ({ period: group.week ?? '', ...figuresOf(group) }))
      .sort((a, b) => a.period.localeCompare(b.period)),
    populations: of(BY.population)
      .map((group) => ({ population: group.population ?? 'manual', ...figuresOf(group) }))
      .sort((a, b) => a.population.localeCompare(b.population)),
    types,
    reviewers: await ofReviewers(db, theirs ?? of(BY.person), figures.mean, asked),
  }
}

interface OfType extends Sums {
  typeId: number
  typeName: string
  position: number
  notApplicable: number
  latest: string
}

const ofKinds = ({ kind }: Asked) => sql`r.kind = any(${sql.param(kind ? [kind] : [...kinds])}::text[])`

/** Means of score types weigh each review alike. */
async function ofTypes(db: Db, asked: Asked, cover: Cover): Promise<Overall['types']> {
  const { agent, reviewer, scoreType } = asked
  const person = agent ?? reviewer
  const by = agent ? 'agent' : reviewer ? 'reviewer' : 'all'
  const ofType = scoreType ? [sql`type_id = any(${sql.param(scoreType)}::int[])`] : []
  const filters = grouped(asked)
  // of people without another filter, totals have few rows
  const stored = person && !filters.length ? sql`qc_week_totals` : sql`qc_week_scores`
  const weeks = [sql`r.by = ${by}`, cover.weeks, ...ofType]
  // the index begins with both: naming all of one lets it skip by the other
  if (!person || filters.length)
    weeks.push(
      ...grouped({ ...asked, kind: undefined, population: asked.population ?? [...populations] }),
      ofKinds(asked),
    )
  if (person) weeks.push(sql`r.person_id = any(${sql.param(person)}::int[])`)
  // days are summed up for all people together; a few people have few reviews in the rest of a week
  const rest = person ? cover.rest : cover.restOfDays
  const days = person ? [sql`false`] : [cover.days, ...filters, ...ofType]
  const columns = sql`type_id, type_name, position, not_applicable, n, sum, squares`
  const found = await rows<OfType>(
    db,
    sql`select type_id as "typeId", type_name as "typeName", min(position) as position, sum(not_applicable)::int as "notApplicable",
        sum(n)::int as n, sum(sum) as sum, sum(squares) as squares, to_char(max(at), 'YYYY-MM-DD') as latest
      from (select week as at, ${columns} from ${stored} r where ${all(weeks)}
        union all select day, ${columns} from qc_day_scores r where ${all(days)}
        union all select max(r.submitted_at)::date, s.type_id, s.type_name, min(s.position), count(*) filter (where s.value is null)::int,
          count(s.value)::int, coalesce(sum(s.value), 0), coalesce(sum(s.value::float8 * s.value), 0)
        from qc_reviews r cross join lateral (select type_id, type_name, position, value from qc_scores s
          where s.review_id = r.qc_review_id offset 0) s
        where ${all([...matching(asked), rest, ...ofType])} group by 2, 3) as parts
      group by 1, 2 order by latest`,
  )
  return [...Map.groupBy(found, ({ typeId }) => typeId)]
    .map(([typeId, ofOne]) => {
      const total = (of: 'n' | 'sum' | 'squares' | 'notApplicable') => ofOne.reduce((sum, one) => sum + one[of], 0)
      const position = Math.min(...ofOne.map((one) => one.position))
      const sums = { n: total('n'), sum: total('sum'), squares: total('squares') }
      // a renamed type has the latest of its names
      return {
        position,
        typeId,
        typeName: ofOne.at(-1)?.typeName ?? '',
        notApplicable: total('notApplicable'),
        ...figuresOf(sums),
      }
    })
    .sort((a, b) => a.position - b.position || a.typeId - b.typeId)
    .map(({ position: _, ...type }) => type)
}

const REVIEWERS = 200

/** Sums of one person, from the reviews. */
const personal = sql`count(r.score)::int as n, coalesce(sum(r.score), 0) as sum, coalesce(sum(r.score * r.score), 0) as squares,
  count(*) filter (where r.is_failed)::int as failed`

/** Reviewers of some agents: sums per week hold no pairs, so the index of agents is read. */
const whoReviewed = (db: Db, asked: Asked): Promise<OfPerson[]> =>
  rows<OfPerson>(
    db,
    sql`select r.reviewer_id as "personId", ${personal} from qc_reviews r where ${all(matching(asked))} group by 1`,
  )

type OfPerson = Sums & Pick<Group, 'personId'>

async function ofReviewers(
  db: Db,
  found: OfPerson[],
  mean: number | null,
  asked: Asked,
): Promise<Overall['reviewers']> {
  const most = found.sort((a, b) => b.n - a.n || (a.personId ?? 0) - (b.personId ?? 0)).slice(0, REVIEWERS)
  const ids = most.map(({ personId }) => personId ?? 0)
  const names = await namesOf(db, ids)
  const agreements = await agreementOf(db, asked, ids)
  return most.flatMap((group) => {
    const known = names.get(group.personId ?? 0)
    if (!known) return []
    const figures = figuresOf(group)
    const severity = figures.mean === null || mean === null ? null : figures.mean - mean
    const agreement = agreements.get(known.id) ?? null
    return [{ reviewer: { id: known.id, name: known.name }, ...figures, severity, agreement }]
  })
}

const AGENTS = 2000

/** Figures per agent. Ranks are given from `minimumN` reviews, the best mean first; equal means share a rank. */
export async function perAgent(
  db: Db,
  asked: Asked,
): Promise<{ items: UserFigures[]; total: number; minimumN: number }> {
  const found = await rows<Sums & { personId: number; failed: number }>(
    db,
    asked.reviewer
      ? sql`select r.agent_id as "personId", ${personal} from qc_reviews r where ${all(matching(asked))} group by 1`
      : sql`select person_id as "personId", sum(n)::int as n, sum(sum) as sum, sum(squares) as squares, sum(failed)::int as failed
      from (${parts(asked, await coverOf(db, asked), 'agent', asked.agent)}) as parts group by 1`,
  )
  const { minimumN } = await readQueueSettings(db, asked.kind ?? 'chat')
  const names = await namesOf(
    db,
    found.map(({ personId }) => personId),
  )
  const items = found
    .flatMap((group) => {
      const known = names.get(group.personId)
      if (!known) return []
      const { id, name, departmentName } = known
      return [{ agent: { id, name }, departmentName, ...figuresOf(group), failed: group.failed }]
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
