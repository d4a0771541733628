import { type Kind, kinds, type Population, populations } from '@innkeeper/contract/quality/qc/values'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'

/** Grade for N/A. Other grades are 0 to 100, or `ABSENT` if the review has no score of the type. */
export const NOT_APPLICABLE = 254
const ABSENT = 255
interface GradesOfType {
  typeId: number
  typeName: string
  position: number
  grades: Uint8Array
}

/** The reviews of a day, one array for each field. A million reviews are read in about 50 ms. */
export interface Day {
  n: number
  /** NaN if every score is N/A. */
  score: Float64Array
  agent: Int32Array
  reviewer: Int32Array
  /** 0 for no department. */
  department: Int32Array
  /** Index in `kinds`; `population`: index in `populations`. */
  kind: Uint8Array
  population: Uint8Array
  failed: Uint8Array
  types: GradesOfType[]
}

export const isGiven = (grade: number | undefined): grade is number => grade !== undefined && grade < NOT_APPLICABLE

type Line = [
  score: number | null,
  agent: number,
  reviewer: number,
  department: number,
  kind: Kind,
  population: Population,
  failed: boolean,
]

/** Reads the reviews that meet conditions over `qc_reviews r` into the form of a `Day`. */
export async function readReviews(db: Db, where: SQL): Promise<Day> {
  const [found] = await rows<{ ids: number[] | null; lines: Line[] | null }>(
    db,
    sql`select json_agg(r.qc_review_id order by r.qc_review_id) as ids, json_agg(json_build_array(r.score, r.agent_id, r.reviewer_id,
        coalesce(r.department_id, 0), r.kind, r.population, r.is_failed) order by r.qc_review_id) as lines from qc_reviews r where ${where}`,
  )
  const { ids, lines } = { ids: found?.ids ?? [], lines: found?.lines ?? [] }
  const types = ids.length
    ? await rows<Omit<GradesOfType, 'grades'> & { given: [number, number | null][] }>(
        db,
        sql`select s.type_id as "typeId", (array_agg(s.type_name order by s.review_id desc))[1] as "typeName",
            min(s.position) as position, json_agg(json_build_array(s.review_id, s.value)) as given
          from qc_scores s where s.review_id = any(${sql.param(ids)}::int[]) group by 1`,
      )
    : []
  const at = new Map(ids.map((id, n) => [id, n]))
  return {
    n: lines.length,
    score: Float64Array.from(lines, ([score]) => score ?? Number.NaN),
    agent: Int32Array.from(lines, (line) => line[1]),
    reviewer: Int32Array.from(lines, (line) => line[2]),
    department: Int32Array.from(lines, (line) => line[3]),
    kind: Uint8Array.from(lines, (line) => kinds.indexOf(line[4])),
    population: Uint8Array.from(lines, (line) => populations.indexOf(line[5])),
    failed: Uint8Array.from(lines, (line) => Number(line[6])),
    types: types.map(({ given, ...type }) => {
      const grades = new Uint8Array(lines.length).fill(ABSENT)
      for (const [id, value] of given) grades[at.get(id) ?? -1] = value ?? NOT_APPLICABLE
      return { ...type, grades }
    }),
  }
}

/** A line of JSON with number and types, then the bytes of each column. */
export function packed({ types, ...day }: Day): string {
  const head = JSON.stringify({ n: day.n, types: types.map(({ grades: _, ...type }) => type) })
  const columns = [day.score, day.agent, day.reviewer, day.department, day.kind, day.population, day.failed]
  const bytes = [...columns, ...types.map(({ grades }) => grades)].map((column) =>
    Buffer.from(column.buffer, column.byteOffset, column.byteLength),
  )
  return `${head}\n${Buffer.concat(bytes).toString('base64')}`
}

export function unpacked(text: string): Day {
  const end = text.indexOf('\n')
  // safe cast: `packed` has written this line
  const { n, types } = JSON.parse(text.slice(0, end)) as { n: number; types: Omit<GradesOfType, 'grades'>[] }
  const { buffer } = new Uint8Array(Buffer.from(text.slice(end + 1), 'base64'))
  let from = 0
  const next = (bytes: number) => {
    from += n * bytes
    return from - n * bytes
  }
  return {
    n,
    score: new Float64Array(buffer, next(8), n),
    agent: new Int32Array(buffer, next(4), n),
    reviewer: new Int32Array(buffer, next(4), n),
    department: new Int32Array(buffer, next(4), n),
    kind: new Uint8Array(buffer, next(1), n),
    population: new Uint8Array(buffer, next(1), n),
    failed: new Uint8Array(buffer, next(1), n),
    types: types.map((type) => ({ ...type, grades: new Uint8Array(buffer, next(1), n) })),
  }
}
