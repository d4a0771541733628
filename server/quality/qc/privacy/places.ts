import { type SQL, sql } from 'drizzle-orm'

/** Replaces the removed texts. */
const REDACTED = '[removed]'
const gone = sql.raw(`'${REDACTED}'`)

/** An open form has the former words: whoever saves it is told that the row has changed. */
const anew = sql`version = version + 1, updated_at = now()`

/** Rows of one table that quote a customer. */
export interface Place {
  /** What people call these rows. */
  name: string
  table: string
  set: SQL
  /** The rows that still have words. */
  where: SQL
}

/** The review in a JSON column, with its comments and the reason of its agents emptied. */
const withoutComments = (column: string) => {
  const whole = sql.raw(column)
  return sql`${whole} || jsonb_build_object('comment', '', 'scores', ${withoutScoreComments(sql`case
    when jsonb_typeof(${whole}->'scores') = 'array' then ${whole}->'scores' else '[]' end`)})
    || case when ${whole} ? 'agentReason' then '{"agentReason": ""}'::jsonb else '{}' end`
}
const withoutScoreComments = (scores: SQL) =>
  sql`(select coalesce(jsonb_agg(one || '{"comment": ""}' order by n), '[]') from jsonb_array_elements(${scores}) with ordinality as s(one, n))`

/**
 * Every table with texts of or about these conversations: agents and staff repeat what customers say. Messages come
 * before the conversations, which know the customer's name. Ids, dates, states and scores stay.
 */
export function placesOf(ids: readonly number[]): readonly Place[] {
  const wanted = sql`any(${sql.param([...ids])}::int[])`
  const ofConversation = sql`conversation_id = ${wanted}`
  const ofReview = sql`review_id in (select qc_review_id from qc_reviews where ${ofConversation})`
  const isCustomer = sql`(role = 'customer' or lower(author) in (select lower(said) from qc_conversations c,
    unnest(array[c.customer_name, c.customer_email]) as said where c.qc_conversation_id = qc_messages.conversation_id and said <> ''))`
  return [
    {
      ...{ name: 'Messages', table: 'qc_messages' },
      // an id may be an address, or that of a mail; no import writes to an erased conversation
      set: sql`body = ${gone}, files = '[]', external_id = 'removed ' || qc_message_id,
        author = case when ${isCustomer} then 'Customer' when role in ('bot', 'system') then initcap(role) else author end`,
      where: sql`${ofConversation} and (body <> ${gone} or files <> '[]' or external_id <> 'removed ' || qc_message_id)`,
    },
    {
      ...{ name: 'Comments and notes', table: 'qc_comments' },
      set: sql`content = ${gone}, ${anew}`,
      where: sql`${ofConversation} and content <> ${gone}`,
    },
    {
      ...{ name: 'Former comments and notes', table: 'qc_comment_edits' },
      set: sql`content = ${gone}`,
      where: sql`comment_id in (select qc_comment_id from qc_comments where ${ofConversation}) and content <> ${gone}`,
    },
    {
      ...{ name: 'Reviews', table: 'qc_reviews' },
      set: sql`comment = case when comment = '' then '' else ${gone} end,
        agent_reason = case when agent_reason = '' then '' else ${gone} end, ${anew}`,
      // the review shows the comments of its scores, too
      where: sql`${ofConversation} and (comment not in ('', ${gone}) or agent_reason not in ('', ${gone})
        or exists (select from qc_scores s where s.review_id = qc_review_id and s.comment not in ('', ${gone})))`,
    },
    {
      ...{ name: 'Scores', table: 'qc_scores' },
      set: sql`comment = ${gone}`,
      where: sql`${ofReview} and comment not in ('', ${gone})`,
    },
    {
      ...{ name: 'Former reviews', table: 'qc_review_edits' },
      set: sql`before = ${withoutComments('before')}`,
      where: sql`${ofReview} and before <> ${withoutComments('before')}`,
    },
    {
      ...{ name: 'Unfinished reviews', table: 'qc_drafts' },
      set: sql`content = ${withoutComments('content')}`,
      where: sql`${ofConversation} and content <> ${withoutComments('content')}`,
    },
    {
      ...{ name: 'Escalations', table: 'qc_escalations' },
      set: sql`reason = ${gone}, description = case when description = '' then '' else ${gone} end, ${anew}`,
      where: sql`${ofConversation} and (reason <> ${gone} or description not in ('', ${gone}))`,
    },
    {
      ...{ name: 'Feedback and disputes', table: 'qc_feedbacks' },
      set: sql`content = ${gone}, answer = case when answer = '' then '' else ${gone} end, ${anew}`,
      where: sql`${ofConversation} and (content <> ${gone} or answer not in ('', ${gone}))`,
    },
    {
      ...{ name: 'Calibrations', table: 'qc_calibrations' },
      set: sql`title = ${gone}, ${anew}`,
      where: sql`${ofConversation} and title <> ${gone}`,
    },
    {
      ...{ name: 'Reviews in calibrations', table: 'qc_calibration_reviews' },
      set: sql`comment = case when comment = '' then '' else ${gone} end, scores = ${withoutScoreComments(sql`scores`)}`,
      where: sql`calibration_id in (select qc_calibration_id from qc_calibrations where ${ofConversation})
        and (comment not in ('', ${gone}) or scores <> ${withoutScoreComments(sql`scores`)})`,
    },
    {
      ...{ name: 'Conversations', table: 'qc_conversations' },
      set: sql`subject = ${gone}, customer_name = '', customer_email = '', assign_reason = null, redacted_at = clock_timestamp(),
        status = case when status = 'queued' then 'cleared' else status end, holder_id = null, holds_until = null, assignee_id = null,
        postponed_by = null, postponed_until = null,
        ${anew}`,
      where: sql`qc_conversation_id = ${wanted}`,
    },
  ]
}

/** Rows outside the conversations that name the customer by address: agents as a help desk lists them, and reports of imports. */
export function placesNaming(email: string): readonly Place[] {
  const like = sql`${`%${email.replace(/[\\%_]/g, '\\$&')}%`}`
  return [
    {
      ...{ name: 'Agents of help desks', table: 'qc_identities' },
      set: sql`identity = ${gone} || ' ' || qc_identity_id, name = ${gone}, ${anew}`,
      where: sql`lower(identity) = lower(${email}) and user_id is null`,
    },
    {
      ...{ name: 'Reports of imports', table: 'qc_import_runs' },
      set: sql`problems = (select coalesce(jsonb_agg(case when one->>'reason' ilike ${like} then one || ${JSON.stringify({ reason: REDACTED })}::jsonb
          else one end order by n), '[]') from jsonb_array_elements(problems) with ordinality as p(one, n)),
        error = case when error ilike ${like} then ${gone} else error end`,
      where: sql`problems::text ilike ${like} or error ilike ${like}`,
    },
  ]
}
