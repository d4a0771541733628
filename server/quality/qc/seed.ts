import type { ImportItem } from '@innkeeper/contract/quality/qc/sourceShapes'
import { isNull, sql } from 'drizzle-orm'
import { chunks } from '../../kit/db/chunks.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { type Dice, dice } from '../../seed/dice.ts'
import * as tables from '../../tables.ts'
import { writeBatch } from './imports/batch.ts'
import { type FrozenScore, sumUp } from './reviews/score.ts'

const DAY = 86_400_000
const between = (d: Dice, least: number, most: number) => least + d.below(most - least + 1)
const CONVERSATIONS = 420

const grades = [
  ['Poor', 0, 'error', true],
  ['Fair', 50, 'warning', false],
  ['Good', 80, 'info', false],
  ['Great', 100, 'success', false],
] as const
const types = [
  ['Solution', 'Was the problem solved, or handed on to the right people?', 40, false],
  ['Tone', 'Friendly, clear, in the words of the customer', 20, false],
  ['Speed', 'First answer and the time between answers', 15, false],
  ['Documentation', 'The next colleague finds what was done', 15, false],
  ['Security', 'The caller was identified before anything was changed', 10, true],
] as const
const tags = [
  ['Refund', 'warning'],
  ['Outage', 'error'],
  ['Praise', 'success'],
  ['Migration', 'info'],
  ['Billing', 'accent'],
] as const
const talks = [
  [
    'The shop answers 502',
    [
      'Our shop answers 502 since noon.',
      'I look into it at once.',
      'PHP had no workers left. I doubled them, and the shop answers again.',
      'Wonderful, thank you!',
    ],
  ],
  [
    'Mail to one domain bounces',
    [
      'Mail to our partner bounces with 550.',
      'Could you send me the full message?',
      'It says: SPF fail.',
      'Your SPF record lacks our new relay. I have added it; please try again in an hour.',
    ],
  ],
  [
    'Move to a larger plan',
    [
      'We need more space by Friday.',
      'Your plan can be changed without a pause. Shall I do so now?',
      'Yes, please.',
      'Done: 200 GB from now on.',
    ],
  ],
  [
    'Invoice of October',
    [
      'The October invoice is too high.',
      'You are right: the discount was missing. A new invoice is on its way.',
      'Thanks.',
    ],
  ],
  [
    'Certificate expired',
    [
      'The browser warns about our certificate!',
      'The domain pointed elsewhere, so it could not be renewed. It is renewed now.',
      'How can we avoid that?',
      'Please keep the A record as it is. I have added a monitor for you.',
    ],
  ],
  [
    'Restore a deleted file',
    [
      'I deleted wp-content by mistake.',
      'Which day shall I restore?',
      'Yesterday evening.',
      'Restored from 23:00, please look.',
      'Everything is back. You saved my week!',
    ],
  ],
] as const
const customers = [
  'Mari Tveit',
  'Ola Haug',
  'Ingrid Moe',
  'Jonas Lie',
  'Sofie Dahl',
  'Emil Strand',
  'Nora Vik',
  'Lars Bakke',
] as const
const comments = [
  'Well explained.',
  'The second question could have been spared.',
  'Identify the caller first.',
  'Exactly how we want it.',
  '',
] as const

/** Adds a rubric, a help desk with chats and tickets, and reviews of the last months in every state. */
export async function seedQuality(db: Db, say: (line: string) => void, now = Date.parse('2026-11-21T09:00:00Z')) {
  const d = dice(4490)
  await db.transaction(async (tx) => {
    const staff = await tx.select().from(tables.users).where(isNull(tables.users.deletedAt)).orderBy(tables.users.id)
    const agents = staff.filter(({ isAdmin }) => !isAdmin).slice(0, 14)
    const rubric = await seedRubric(tx)
    const [source] = await tx
      .insert(tables.qcSources)
      .values({ name: 'Help desk' })
      .returning({ id: tables.qcSources.id })
    const items = Array.from({ length: CONVERSATIONS }, (_, n) => itemOf(d, n, now, d.pick(agents)))
    for (const some of chunks(items, 100)) await writeBatch(tx, source!.id, some) // one inserted row
    await tx.execute(sql`update qc_sources set last_import_at = ${new Date(now).toISOString()}::timestamptz`)
    const reviewed = await seedReviews(
      tx,
      d,
      rubric,
      agents.slice(0, 4).map(({ id }) => id),
    )
    for (const [n, tagId] of rubric.tagIds.entries())
      await tx.execute(
        sql`update qc_conversations set tag_ids = tag_ids || ${tagId}::int where qc_conversation_id % 11 = ${n}`,
      )
    await seedCases(tx, d, agents[0]!.id, now)
    await seedChecks(tx)
    say(`${CONVERSATIONS} chats and tickets, ${reviewed} of them reviewed`)
  })
}

async function seedRubric(db: Db) {
  const made = await db
    .insert(tables.qcScoreGrades)
    .values(
      grades.map(([name, value, colour, needsComment], position) => ({ name, value, colour, needsComment, position })),
    )
    .returning({ id: tables.qcScoreGrades.id, name: tables.qcScoreGrades.name, value: tables.qcScoreGrades.value })
  const gradeIds = made.map(({ id }) => id)
  const kinds = await db
    .insert(tables.qcScoreTypes)
    .values(
      types.map(([name, description, weight, isCritical], position) => ({
        name,
        description,
        weight,
        isCritical,
        position,
        gradeIds,
      })),
    )
    .returning({ id: tables.qcScoreTypes.id, name: tables.qcScoreTypes.name })
  const tagged = await db
    .insert(tables.qcTags)
    .values(tags.map(([name, colour]) => ({ name, colour })))
    .returning({ id: tables.qcTags.id })
  await db.insert(tables.qcCronFilters).values({ name: 'Unhappy customers', value: 'csat<=2 messages>=3', perAgent: 5 })
  return { grades: made, types: kinds, tagIds: tagged.map(({ id }) => id) }
}
type Rubric = Awaited<ReturnType<typeof seedRubric>>

type Agent = Pick<typeof tables.users.$inferSelect, 'email' | 'firstName' | 'lastName'>

function itemOf(d: Dice, n: number, now: number, agent: Agent): ImportItem {
  const [subject, lines] = d.pick(talks)
  const customer = d.pick(customers)
  const began = now - between(d, 1, 120) * DAY - between(d, 0, 86_000) * 1000
  let at = began
  const times = lines.map((_, nth) => {
    if (nth > 0) at += between(d, 40, nth % 2 ? 600 : 240) * 1000
    return new Date(at).toISOString()
  })
  return {
    ...{ kind: n % 3 ? 'chat' : 'ticket', id: String(58_000 + n), subject, deleted: false },
    customer: { name: customer, email: `${customer.split(' ')[0]!.toLowerCase()}@customer.example` },
    csat: d.pick([1, 2, 3, 4, 4, 5, 5, null]),
    messages: lines.map((text, nth) => ({
      ...{ id: String(nth + 1), at: times[nth]!, text },
      ...{ kind: 'message' as const, editedAt: null, removed: false, files: [] },
      author:
        nth % 2
          ? { id: agent.email, name: `${agent.firstName} ${agent.lastName}`, role: 'agent' as const }
          : { id: '', name: customer, role: 'customer' as const },
    })),
  }
}

/** Reviews two thirds, queues some of the rest, and leaves the others in the archive. */
async function seedReviews(db: Db, d: Dice, rubric: Rubric, reviewers: number[]): Promise<number> {
  const found = await rows<{
    id: number
    kind: 'chat' | 'ticket'
    agentId: number
    lastAt: string
    messages: number[]
  }>(
    db,
    sql`select c.qc_conversation_id as id, c.kind, c.agent_id as "agentId", c.last_at::text as "lastAt",
        array(select m.qc_message_id from qc_messages m where m.conversation_id = c.qc_conversation_id and m.role = 'agent') as messages
      from qc_conversations c where c.agent_id is not null order by 1`,
  )
  const chosen = found.filter(() => d.chance(0.66))
  const sheets = chosen.map(({ messages }) => sheetOf(d, rubric, messages))
  const made = await db
    .insert(tables.qcReviews)
    .values(
      chosen.map(({ id: conversationId, kind, agentId, lastAt }, n) => {
        const reviewerId = d.pick(reviewers.filter((one) => one !== agentId))
        const submittedAt = new Date(Date.parse(lastAt) + between(d, 1, 40) * 3_600_000).toISOString()
        const population = d.pick(['sample', 'sample', 'filter', 'manual'] as const)
        const departmentId = sql`(select department_id from users where user_id = ${agentId})`
        return {
          conversationId,
          kind,
          agentId,
          reviewerId,
          createdBy: reviewerId,
          departmentId,
          population,
          ...sumUp(sheets[n]!),
          comment: d.pick(comments),
          submittedAt,
          statsSentAt: submittedAt,
        }
      }),
    )
    .returning({ id: tables.qcReviews.id })
  await db
    .insert(tables.qcScores)
    .values(made.flatMap(({ id: reviewId }, n) => sheets[n]!.map((score) => ({ ...score, reviewId }))))
  await db.execute(sql`update qc_conversations c set status = 'reviewed', score = r.score, reviewed_at = r.submitted_at,
      reviewed_by = r.reviewer_id, queued_at = r.submitted_at - interval '1 hour', queued_by = r.population
    from qc_reviews r where r.conversation_id = c.qc_conversation_id`)
  await db.execute(sql`update qc_conversations set status = 'queued', queued_at = last_at + interval '1 hour', queued_by = 'sample'
    where status = 'imported' and qc_conversation_id % 3 > 0`)
  return made.length
}

const sheetOf = (d: Dice, { grades: known, types: kinds }: Rubric, messages: number[]): FrozenScore[] =>
  kinds.map(({ id, name }, position) => {
    const [, , weight, isCritical] = types[position]!
    const isNA = d.chance(0.08)
    const grade = isCritical
      ? known[d.chance(0.03) ? 0 : 3]!
      : d.pick([known[0]!, known[1]!, known[2]!, known[2]!, known[3]!, known[3]!])
    const low = !isNA && grade.value < 60
    return {
      ...{ typeId: id, typeName: name, weight, isCritical, position },
      ...(isNA
        ? { gradeId: null, gradeName: null, value: null }
        : { gradeId: grade.id, gradeName: grade.name, value: grade.value }),
      ...{ comment: low ? d.pick(comments) || 'Too late.' : '', evidence: low ? messages.slice(0, 1) : [] },
    }
  })

async function seedCases(db: Db, d: Dice, assignee: number, now: number) {
  // newest first: what is open was reviewed in the last days
  const chosen = await db
    .select()
    .from(tables.qcReviews)
    .where(sql`submitted_at < ${new Date(now).toISOString()}::timestamptz`)
    .orderBy(sql`submitted_at desc`)
    .limit(12)
  const after = (submittedAt: string, hours: number) => {
    const at = new Date(Date.parse(submittedAt) + hours * 3_600_000).toISOString()
    return { createdAt: at, updatedAt: at }
  }
  await db.insert(tables.qcEscalations).values(
    chosen.slice(0, 5).map(({ conversationId, kind, agentId, reviewerId, submittedAt }, n) => ({
      ...after(submittedAt, 1),
      ...{ conversationId, kind, agentIds: [agentId], createdBy: reviewerId, assigneeId: n % 2 ? assignee : null },
      ...{ reason: d.pick(['Data was lost', 'The customer wants to leave', 'The caller was not identified']) },
      ...{
        priority: d.pick(['medium', 'high', 'urgent'] as const),
        status: n > 2 ? ('in-progress' as const) : ('open' as const),
      },
    })),
  )
  await db.insert(tables.qcFeedbacks).values(
    chosen.slice(5).map(({ id: reviewId, conversationId, kind, agentId, submittedAt }, n) => ({
      ...after(submittedAt, 3 + n),
      ...{ reviewId, conversationId, kind, agentId, createdBy: agentId, origin: 'agent' as const },
      ...(n < 2 ? { type: 'dispute' as const, dueAt: sql`now() + interval '5 days'` } : {}),
      content: d.pick([
        'The customer had answered in another ticket.',
        'Thank you, I will identify callers first.',
        'I had no access to the server.',
      ]),
    })),
  )
}

/** Rules of automatic checks. The worker judges the conversations. */
async function seedChecks(db: Db) {
  const [type] = await db
    .select({ id: tables.qcScoreTypes.id })
    .from(tables.qcScoreTypes)
    .orderBy(tables.qcScoreTypes.id)
    .limit(1)
  const compared = type ? { scoreTypeId: type.id } : {}
  await db.insert(tables.qcCheckRules).values([
    { name: 'First answer within an hour', check: 'firstAnswer', minutes: 60, ...compared },
    { name: 'No answer for a day', check: 'unanswered', minutes: 1440 },
    { name: 'No secrets in the open', check: 'secrets', who: 'everybody' },
    { name: 'Does not patronise', check: 'forbidden', words: ['obviously', 'as I said', 'calm down'] },
    { name: 'Asks nothing twice', check: 'repeated' },
  ])
}
