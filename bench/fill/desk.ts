import { hash, prose } from './prose.ts'
import { type Part, past, share } from './provider.ts'

const rows = 'from generate_series($1::int, $2::int) i'

/** Settings that the migration adds: 26, so the first of these is 27. */
const component = `case when face = 'ticket' then 65 + ${hash('i + 1')} % 12 else 27 + ${hash('i + 1')} % 20 end`
const status = `case face when 'bug' then (array[1,1,2,3,4,5,5,5,5,5,5,5,6,7])[1 + ${hash('i + 2')} % 14]
  when 'feature' then 12 + ${hash('i + 2')} % 6 else (array[21,22,23,23,23,23])[1 + ${hash('i + 2')} % 6] end`
/** The agents are the first 200 users, the reviewers the 40 after them; with fewer users, some are both. */
const person = (n: string) => `1 + ${n} % least({users}, 200)`
const reviewed = person('i')
const reviewer = (n: string) => `least({users}, 240) - ${n} % least({users}, 40)`

/** Trackers and support quality with as many items and reviews as websites. */
export const desk: Part[] = [
  {
    table: 'tracker_settings',
    rows: () => 50,
    insert: `insert into tracker_settings (face, kind, name, position) select case when i > 38 then 'ticket' else 'bug' end,
      case when i <= 20 or i > 38 then 'component' when i <= 30 then 'folder' else 'department' end, 'Part ' || i, i ${rows}`,
  },
  {
    table: 'tracker_items',
    rows: (n) => n,
    insert: `insert into tracker_items (face, number, title, description, steps, status_id, status_group, priority_id, urgency, component_id,
        folder_id, department_id, assignee_id, reporter_id, due_on, comments, votes, completed_at, archived_at, deleted_at, created_at, updated_at)
      select made.face, i, initcap(${prose('i', 5)}), ${prose('i + 7', 40)}, '', s.tracker_setting_id, s."group",
        case made.face when 'bug' then 8 + ${hash('i')} % 4 when 'feature' then 18 + i % 3 else 24 + i % 3 end, ${hash('i')} % 4, component,
        case when made.face <> 'ticket' then 47 + ${hash('i + 4')} % 10 end, case when made.face <> 'ticket' then 57 + ${hash('i + 5')} % 8 end,
        case when i % 4 > 0 then ${person(hash('i + 6'))} end, ${person(hash('i + 7'))},
        case when i % 9 = 0 then current_date + (i % 400 - 300)::int end, 2, case when made.face = 'feature' then i % 40 else 0 end,
        case when s."group" = 'completed' then ${past('i', 20)} end,
        case when s."group" in ('completed', 'cancelled') and i % 3 = 0 then ${past('i', 15)} end,
        case when i % 50 = 0 then ${past('i', 10)} end, ${past('i', 60)}, now() - ${hash('i + 8')} % 60000000 * interval '1 second'
      from (select i, face, ${component} as component, ${status} as status
        from (select i, case when i % 10 < 7 then 'bug' when i % 10 = 7 then 'feature' else 'ticket' end as face ${rows}) f) made
      join tracker_settings s on s.tracker_setting_id = made.status order by i`,
  },
  {
    table: 'tracker_talk',
    rows: (n) => 2 * n,
    insert: `insert into tracker_talk (item_id, type, body, created_by, created_at)
      select 1 + (i - 1) / 2, case when i % 5 = 0 then 'note' else 'comment' end, ${prose('i + 11', 20)}, ${reviewed}, ${past('i', 30)} ${rows}`,
  },
  {
    table: 'tracker_words',
    rows: (n) => n,
    insert: `insert into tracker_words (item_id, face, words)
      select i, f.face, strip(to_tsvector('simple', f.title || ' ' || f.description || ' ' || t.said))
      from generate_series($1::int, $2::int) i join tracker_items f on f.tracker_item_id = i
        cross join lateral (select string_agg(body, ' ') as said from tracker_talk t where t.item_id = i and deleted_at is null) t`,
  },
  {
    table: 'tracker_history',
    rows: (n) => 3 * n,
    insert: `insert into tracker_history (item_id, at, by, field, before, after)
      select 1 + (i - 1) / 3, ${past('i', 20)}, ${reviewed}, 'status', 'New', 'Triaged' ${rows}`,
  },
  {
    table: 'tracker_counters',
    rows: () => 3,
    insert: `insert into tracker_counters (face, last) select (array['bug', 'feature', 'ticket'])[i], {tracker_items} ${rows}`,
  },
  {
    table: 'qc_sources',
    rows: () => 4,
    insert: `insert into qc_sources (name) select 'Help desk ' || i ${rows}`,
  },
  {
    table: 'qc_score_types',
    rows: () => 5,
    insert: `insert into qc_score_types (name, weight, used_for, position, grade_ids) select 'Type ' || i, i, 'all', i, '{}' ${rows}`,
  },
  {
    table: 'qc_conversations',
    rows: (n) => n,
    insert: `insert into qc_conversations (kind, source_id, external_id, digest, subject, customer_name, customer_email, agent_id, agent_ids,
        department_id, started_at, last_at, messages, csat, status, queued_at, queued_by, score, reviewed_at, reviewed_by)
      select case when i % 2 = 0 then 'chat' else 'ticket' end, 1 + i % 4, 'E' || i, md5(i::text), ${prose('i', 4)}, 'Customer ' || i % 90000,
        'customer' || i % 90000 || '@example.org', ${reviewed}, array[${reviewed}], 1 + i % {departments}, ${past('i', 40)}, ${past('i', 39)},
        1 + i % 30, 1 + i % 5, 'reviewed', ${past('i', 38)}, 'sample', ${hash('i')} % 101, ${past('i', 33)}, ${reviewer('i')} ${rows}`,
  },
  {
    table: 'qc_reviews',
    rows: (n) => n,
    insert: `insert into qc_reviews (conversation_id, kind, agent_id, reviewer_id, department_id, population, score, is_failed, submitted_at, created_at)
      select i, case when i % 2 = 0 then 'chat' else 'ticket' end, ${reviewed}, ${reviewer(hash('i'))}, 1 + i % {departments},
        (array['sample', 'everything', 'filter', 'manual'])[1 + ${hash('i + 1')} % 4], case when i % 50 > 0 then ${hash('i + 2')} % 101 end,
        i % 40 = 0, ${past('i', 33)}, ${past('i', 33)} ${rows}`,
  },
  {
    table: 'qc_scores',
    rows: (n) => 5 * n,
    insert: `insert into qc_scores (review_id, type_id, type_name, weight, is_critical, grade_id, grade_name, value, position)
      select 1 + (i - 1) / 5, 1 + i % 5, 'Type ' || 1 + i % 5, 1 + i % 5, false, null, null,
        case when i % 23 > 0 then 25 * (${hash('i')} % 5) end, i % 5 ${rows}`,
  },
  {
    table: 'qc_escalations',
    rows: (n) => share(n, 10, 100),
    insert: `insert into qc_escalations (kind, conversation_id, agent_ids, reason, status, assignee_id, created_at, created_by)
      select case when i % 2 = 0 then 'chat' else 'ticket' end, i, array[${reviewed}], ${prose('i + 3', 5)},
        case when i % 20 = 0 then 'open' else 'reviewed' end, ${reviewer('i')}, ${past('i', 300)}, ${reviewer(hash('i'))} ${rows}`,
  },
  {
    table: 'qc_feedbacks',
    rows: (n) => n,
    insert: `insert into qc_feedbacks (kind, conversation_id, review_id, agent_id, type, content, status, created_at, created_by)
      select case when i % 2 = 0 then 'chat' else 'ticket' end, i, i, ${reviewed}, case when i % 12 = 0 then 'dispute' else 'feedback' end,
        ${prose('i + 5', 12)}, case when i % 30 = 0 then 'open' else 'closed' end, ${past('i', 32)}, ${reviewer(hash('i'))} ${rows}`,
  },
]
