import { setImmediate } from 'node:timers/promises'
import { kinds, populations } from '@innkeeper/contract/quality/qc/values'
import type { Db } from '../../../kit/db/db.ts'
import type { Asked } from './asked.ts'
import { type Day, isGiven, NOT_APPLICABLE } from './day.ts'
import { daysOf } from './days.ts'

export interface Sums {
  n: number
  sum: number
  squares: number
}
interface OfReviews extends Sums {
  withoutScore: number
  failed: number
}
interface OfType extends Sums {
  typeId: number
  typeName: string
  position: number
  notApplicable: number
}

const none = (): OfReviews => ({ n: 0, sum: 0, squares: 0, withoutScore: 0, failed: 0 })

function add(sums: Sums, value: number): void {
  sums.n++
  sums.sum += value
  sums.squares += value * value
}

function addReview(sums: OfReviews, score: number, failed: number): void {
  if (Number.isNaN(score)) sums.withoutScore++
  else add(sums, score)
  sums.failed += failed
}

const addAll = (groups: Iterable<OfReviews>): OfReviews => {
  const total = none()
  for (const group of groups)
    for (const name of ['n', 'sum', 'squares', 'withoutScore', 'failed'] as const) total[name] += group[name]
  return total
}

/** Reviews that are summed up before other requests get their turn. */
const TURN = 50_000

/** Sums of the reviews that match: in total, by week, population, department, agent or reviewer, and score type. */
export async function sumUpReviews(db: Db, asked: Asked, by: 'agent' | 'reviewer') {
  const weeks = new Map<string, OfReviews>()
  const ofPopulation = populations.map(() => none())
  /** Sums of departments and of persons; the index is the id, 0 for no department. */
  const departments: OfReviews[] = []
  const persons: OfReviews[] = []
  const types = new Map<number, OfType>()
  /** Number of scores 0–9, 10–19, … 90–100. */
  const histogram = new Uint32Array(10)
  const isWanted = wantedBy(asked)
  const ofTypes = asked.scoreType && new Set(asked.scoreType)
  let read = 0
  for await (const { week, day } of daysOf(db, asked)) {
    const wanted = isWanted(day)
    const inWeek = weeks.get(week) ?? none()
    addReviews({ inWeek, ofPopulation, departments, persons, histogram }, day, day[by], wanted)
    if (wanted.length) weeks.set(week, inWeek)
    for (const type of day.types) if (!ofTypes || ofTypes.has(type.typeId)) addGrades(types, type, wanted)
    read += day.n
    if (read < TURN) continue
    read = 0
    await setImmediate()
  }
  return { total: addAll(weeks.values()), weeks, ofPopulation, departments, persons, types, histogram: [...histogram] }
}

interface Groups {
  inWeek: OfReviews
  ofPopulation: OfReviews[]
  departments: OfReviews[]
  persons: OfReviews[]
  histogram: Uint32Array
}

function of(groups: OfReviews[], id = 0): OfReviews {
  const known = groups[id]
  if (known) return known
  const made = none()
  groups[id] = made
  return made
}

/** A function of its own, because the engine compiles loops of an asynchronous function late: a fifth of the time. */
function addReviews(groups: Groups, day: Day, person: Int32Array, wanted: readonly number[]): void {
  const { inWeek, ofPopulation, departments, persons, histogram } = groups
  for (const n of wanted) {
    const score = day.score[n] ?? Number.NaN
    const failed = day.failed[n] ?? 0
    addReview(inWeek, score, failed)
    addReview(ofPopulation[day.population[n] ?? 0] ?? none(), score, failed)
    addReview(of(departments, day.department[n]), score, failed)
    addReview(of(persons, person[n]), score, failed)
    if (!Number.isNaN(score)) histogram[Math.min(9, Math.floor(score / 10))]! += 1
  }
}

function addGrades(types: Map<number, OfType>, type: Day['types'][number], wanted: readonly number[]): void {
  const { grades, typeId, typeName, position } = type
  const known = types.get(typeId)
  const sums = known ?? { typeId, typeName, position, notApplicable: 0, n: 0, sum: 0, squares: 0 }
  let met = false
  for (const n of wanted) {
    const grade = grades[n]
    if (isGiven(grade)) add(sums, grade)
    else if (grade === NOT_APPLICABLE) sums.notApplicable++
    else continue
    met = true
  }
  if (!met) return
  // a renamed type is shown with its latest name
  types.set(typeId, { ...sums, typeName, position: Math.min(sums.position, position) })
}

/** Returns a function that finds the positions of the reviews of a day that match the filters. */
function wantedBy({ kind, population, agent, reviewer, department }: Asked): (day: Day) => number[] {
  const of = kind && kinds.indexOf(kind)
  const inPopulation = population && populations.map((one) => population.includes(one))
  const [agents, reviewers, departments] = [agent, reviewer, department].map((ids) => ids && new Set(ids))
  return (day) => {
    const wanted: number[] = []
    for (let n = 0; n < day.n; n++) {
      if (of !== undefined && day.kind[n] !== of) continue
      if (inPopulation && !inPopulation[day.population[n] ?? 0]) continue
      if (agents && !agents.has(day.agent[n] ?? 0)) continue
      if (reviewers && !reviewers.has(day.reviewer[n] ?? 0)) continue
      if (departments && !departments.has(day.department[n] ?? 0)) continue
      wanted.push(n)
    }
    return wanted
  }
}
