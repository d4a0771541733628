import type { dossiers as contract } from '@innkeeper/contract/quality/dossiers/calls'
import type { Talk, TalkPage } from '@innkeeper/contract/quality/dossiers/shapes'
import { eq, sql } from 'drizzle-orm'
import { notify } from '../../../access/notifications/notify.ts'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { withInstants } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { inOrder, pageKeys } from '../../../kit/db/page.ts'
import { personOf } from '../../../kit/db/people.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { hint } from '../feedback/notify.ts'
import { checkSubject } from '../people/subject.ts'
import { dossierTalkAnswers, dossierTalks as table } from './tables.ts'

type Calls = 'talks' | 'talk' | 'createTalk' | 'prepareTalk' | 'closeTalk'

/** A talk belongs to two people. Nobody else reads it, whatever their permissions. */
export const talkHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async talks({ userId, ...input }, { db, staff }) {
    const where = [sql`(${table.personId} = ${staff.id} or ${table.leadId} = ${staff.id})`]
    if (userId) where.push(sql`(${table.personId} = ${userId} or ${table.leadId} = ${userId})`)
    const order = { column: table.createdAt, type: 'instant', direction: 'DESC' } as const
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${table}`, where, key: table.id, order })
    return { items: await readTalks(db, ids), ...page }
  },

  talk: ({ id }, context) => readPage(context, id),

  async createTalk({ userId, ...fields }, context) {
    const { db, staff, audit } = context
    await checkSubject(db, userId)
    if (userId === staff.id) throw refused('A talk needs somebody else', { userId: 'Choose somebody else' })
    const [made] = await db
      .insert(table)
      .values({ ...fields, personId: userId, leadId: staff.id, createdBy: staff.id })
      .returning({ id: table.id })
    const talk = await readPage(context, made!.id) // one inserted row returns one row
    audit.after(logged(talk))
    await tell(context, talk, `${staff.name} invites you to a talk`, 'Prepare your answers.')
    return talk
  },

  async prepareTalk({ id, answers, isReady = false, version }, context) {
    const { db, staff, audit } = context
    const talk = await hold(context, id, version)
    if (talk.state !== 'preparing')
      throw refused(talk.releasedAt ? 'The answers are released' : 'The talk was called off')
    if (answers.length > talk.questions.length)
      throw refused('More answers than questions', { answers: 'More answers than questions' })
    const texts = talk.questions.map((_, n) => answers[n] ?? '')
    const row = { talkId: id, userId: staff.id, texts, isReady, savedAt: sql`now()` }
    await db
      .insert(dossierTalkAnswers)
      .values(row)
      .onConflictDoUpdate({ target: [dossierTalkAnswers.talkId, dossierTalkAnswers.userId], set: row })
    const [both] = await rows<{ n: number }>(
      db,
      sql`select count(*)::int as n from dossier_talk_answers where talk_id = ${id} and is_ready`,
    )
    const releases = both?.n === 2
    await db
      .update(table)
      .set({ ...(releases && { state: 'released' as const, releasedAt: sql`now()` }), ...nextVersion })
      .where(eq(table.id, id))
    const after = await readPage(context, id)
    audit.after(logged(after))
    if (releases) await tell(context, after, 'Both sides have prepared the talk', 'The answers are released.')
    else await hintSides(db, after)
    return after
  },

  async closeTalk({ id, goals, version }, context) {
    const { db, staff, audit } = context
    const talk = await hold(context, id, version)
    if (talk.state === 'closed' && !talk.releasedAt) throw refused('The talk was called off')
    if (talk.lead.id !== staff.id) throw refused(`Only ${talk.lead.name} can close the talk`)
    if (talk.state === 'preparing' && goals.length)
      throw refused('Both sides prepare first', { goals: 'Goals are agreed once both sides are ready' })
    await db
      .update(table)
      .set({ goals, state: 'closed', ...nextVersion })
      .where(eq(table.id, id))
    const after = await readPage(context, id)
    audit.after(logged(after))
    if (after.releasedAt) await tell(context, after, `${staff.name} closed your talk`, `Goals agreed: ${goals.length}.`)
    else await tell(context, after, `${staff.name} called your talk off`, 'Nobody reads the answers of the other side.')
    return after
  },
}

const logged = ({ id, kind, heldOn, state, questions, goals }: Talk) => ({
  ...{ id, kind, heldOn, state, questions: questions.length, goals: goals.length },
})

const hintSides = (db: Db, { person, lead }: Talk) => hint(db, [person.id, lead.id])

async function tell({ db, staff }: Context, talk: Talk, title: string, body: string): Promise<void> {
  const to = [talk.person.id, talk.lead.id].filter((id) => id !== staff.id)
  await notify(db, { to, reason: 'quality', title, body, link: `/dossiers/talks/${talk.id}` })
  await hintSides(db, talk)
}

async function hold(context: Context, id: number, version: number | undefined): Promise<TalkPage> {
  const { db, audit } = context
  await rows(db, sql`select from dossier_talks where dossier_talk_id = ${id} for update`)
  const talk = await readPage(context, id)
  audit.of('talk', id)
  audit.before(logged(talk))
  checkVersion(talk, version, talk.title)
  return talk
}

const select = rowsByIds<Talk>(
  (
    isWanted,
  ) => sql`select t.dossier_talk_id as id, t.version, t.created_at as "createdAt", t.updated_at as "updatedAt", t.kind, t.title,
      ${personOf('t.person_id')} as person, ${personOf('t.lead_id')} as lead, t.held_on::text as "heldOn", t.state,
      to_json(t.questions) as questions, to_json(t.goals) as goals, t.released_at as "releasedAt",
      (select coalesce(json_agg(a.user_id order by a.user_id), '[]'::json) from dossier_talk_answers a
        where a.talk_id = t.dossier_talk_id and a.is_ready) as ready
    from dossier_talks t where ${isWanted(sql`t.dossier_talk_id`)}`,
)
const readTalks = async (db: Db, ids: number[]): Promise<Talk[]> =>
  inOrder(ids, await select(db, ids)).map((row) => withInstants(row, ['createdAt', 'updatedAt', 'releasedAt']))

/**
 * A talk of the caller. Answers of the other side are included once both sides have released theirs, and never in a
 * cancelled talk.
 */
async function readPage(context: Context, id: number): Promise<TalkPage> {
  const [page] = await readPages(context, [id])
  if (!page) throw notFound('talk', id)
  return page
}

async function readPages({ db, staff }: Context, ids: number[]): Promise<TalkPage[]> {
  const talks = (await readTalks(db, ids)).filter(({ person, lead }) => person.id === staff.id || lead.id === staff.id)
  const answers = await rows<TalkPage['answers'][number] & { talkId: number }>(
    db,
    sql`select a.talk_id as "talkId", ${personOf('a.user_id')} as by, to_json(a.texts) as texts
      from dossier_talk_answers a join dossier_talks t on t.dossier_talk_id = a.talk_id
      where a.talk_id = any(${sql.param(talks.map(({ id }) => id))}::int[])
        and (a.user_id = ${staff.id} or t.released_at is not null) order by a.user_id`,
  )
  const byTalk = Map.groupBy(answers, ({ talkId }) => talkId)
  return talks.map((talk) => ({
    ...talk,
    answers: (byTalk.get(talk.id) ?? []).map(({ talkId: _, ...answer }) => answer),
  }))
}

/** Talks between the caller and a person, with their answers. */
export async function talksWith(context: Context, personId: number): Promise<TalkPage[]> {
  const { db, staff } = context
  const found = await rows<{ id: number }>(
    db,
    sql`select dossier_talk_id as id from dossier_talks
      where (person_id = ${personId} or lead_id = ${personId}) and (person_id = ${staff.id} or lead_id = ${staff.id})
      order by dossier_talk_id`,
  )
  return readPages(
    context,
    found.map(({ id }) => id),
  )
}
