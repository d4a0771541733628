import { sql } from 'drizzle-orm'
import { STALE_S } from '../agents/online.ts'
import { sinceText } from '../app/sinceText.ts'
import { rows } from '../db/db.ts'
import { GONE_S } from './nodes.ts'
import type { Trouble, TroubleSource } from './trouble.ts'

const PAGE = '/operation'
/** Seconds between clocks that signatures, codes of sign-in and leases bear. */
const CLOCK_S = 30
const [FULL, LEAST_BYTES] = [0.95, 1024 ** 3]
const WAITS_MINUTES = 15
/** How long a standby may be late or away, as after its restart, before people hear of it. */
const REPLICA_MS = 60_000

interface Node {
  name: string
  at: string
  gone: boolean
  late: string[]
  full: boolean
  clockMs: number
}

function troublesOf({ name, at, gone, late, full, clockMs }: Node): Trouble[] {
  const of = (what: string, title: string, detail: string, level: Trouble['level'] = 'error'): Trouble => ({
    ...{ key: `node ${what} ${name}`, title, detail, level, link: PAGE },
  })
  const seen = (found: Trouble[]): Trouble[] => (gone ? found.map((one) => ({ ...one, isUnseen: true })) : found)
  return [
    ...(gone
      ? [
          of(
            'gone',
            `${name} has stopped without a word`,
            `Last heard of ${sinceText(at)}. Start the process again, or remove it from the list if it is not to come back.`,
          ),
        ]
      : []),
    // a full disk stops a process: its silence does not say that the disk has room
    ...seen([
      ...late.map((schedule) => ({
        ...of(
          'late',
          `“${schedule}” does not succeed on ${name}`,
          'The journal of the worker has its error.',
          'warning',
        ),
        key: `node late ${name} ${schedule}`,
      })),
      ...(full
        ? [of('full', `The disk of ${name} is nearly full`, 'Files, logs and own backups are written to this disk.')]
        : []),
      ...(Math.abs(clockMs) > CLOCK_S * 1000
        ? [
            of(
              'clock',
              `The clock of ${name} is wrong`,
              `It is ${Math.round(Math.abs(clockMs) / 1000)} s ${clockMs > 0 ? 'ahead of' : 'behind'} the database. Check its time service.`,
            ),
          ]
        : []),
    ]),
  ]
}

/** Faults that the kit finds in its own tables. */
export const ownTroubles: readonly TroubleSource[] = [
  {
    prefix: 'node ',
    async find({ db }) {
      const found = await rows<Node>(
        db,
        sql`select name, at, at < now() - make_interval(secs => ${GONE_S}) as gone, late,
            disk_free < least(disk_total * ${1 - FULL}::float8, ${LEAST_BYTES}::float8) as full, clock_ms as "clockMs"
          from nodes order by node_id limit 200`,
      )
      return found.flatMap(troublesOf)
    },
    async isWatched({ db }, key) {
      const [found] = await rows<{ isThere: boolean }>(
        db,
        sql`select exists (select from nodes n, unnest(array['gone', 'full', 'clock', 'late']) what
          where starts_with(${key} || ' ', 'node ' || what || ' ' || n.name || ' ')) as "isThere"`,
      )
      return found?.isThere === true
    },
  },
  {
    prefix: 'replica ',
    async find({ database: { replica } }) {
      const problem = replica?.state().problem
      if (!problem || Date.now() - problem.since < REPLICA_MS) return []
      return [
        {
          key: 'replica away',
          title: 'The standby answers no lists',
          detail: `It ${problem.reason}. Lists are read from the primary since ${sinceText(new Date(problem.since).toISOString())}.`,
          level: 'warning',
          link: PAGE,
        },
      ]
    },
  },
  {
    prefix: 'queue ',
    async find({ db }) {
      // work of an absent agent waits for the agent, and of a long lane for the work before
      const isHeard = sql`a.server_id is null or t.last_seen_at > now() - make_interval(secs => ${STALE_S})`
      const [found] = await rows<{ n: number; all: number; minutes: number | null }>(
        db,
        sql`select count(*) filter (where ${isHeard})::int as n, count(*)::int as all,
            (extract(epoch from now() - min(a.ready_at) filter (where ${isHeard})) / 60)::int as minutes from actions a
          left join server_states t on t.server_id = a.server_id
          where a.status = 'ready' and a.ready_at < now() - make_interval(mins => ${WAITS_MINUTES}) and a.lane <> 'long'`,
      )
      if (!found?.all) return []
      const detail = `${found.n} wait, the first for ${found.minutes} minutes. Is a worker running, and does each agent take its work?`
      return [
        {
          key: 'queue stands',
          title: 'Actions wait and nobody takes them',
          detail,
          level: 'error',
          link: '/workflows',
          ...(!found.n && { isUnseen: true }),
        },
      ]
    },
  },
]
