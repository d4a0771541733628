import { type Part, past, share } from './provider.ts'

/**
 * Dossiers of all staff: two entries per website. One entry in fifty is about the same person, so that 500,000 websites
 * give 5,000 people, a million entries, and one timeline of 20,000. Teams form a tree; each person has left one team and is
 * in another.
 */
const people = (websites: number) => share(websites, 100, 20)
const rows = 'from generate_series($1::int, $2::int) i'
const person = '1 + i % {users}'
const word = (words: readonly string[], turn: string) =>
  `(array[${words.map((one) => `'${one}'`).join(', ')}])[1 + (${turn})::int % ${words.length}]`

export const dossiers: Part[] = [
  {
    table: 'dossiers',
    rows: people,
    insert: `insert into dossiers (user_id, started_on, about, created_at)
      select i, current_date - (i % 4000)::int, 'Works here', ${past('i', 60)} ${rows}`,
  },
  {
    table: 'dossier_positions',
    rows: () => 40,
    insert: `insert into dossier_positions (name, level, position_id)
      select 'Position ' || i, i / 5, case when i > 5 then i - 5 end ${rows}`,
  },
  {
    table: 'dossier_teams',
    rows: (n) => share(n, 1000, 4),
    insert: `insert into dossier_teams (name, manager_id, parent_id, department_id, created_at)
      select 'Team ' || substr(md5(i::text), 1, 6) || '-' || i, case when i % 9 > 0 then 1 + i * 10 % {users} end,
        case when i > 1 then (i + 6) / 8 end, 1 + i % {departments}, ${past('i', 600)} ${rows}`,
  },
  {
    table: 'dossier_memberships',
    rows: (n) => people(n) * 2,
    insert: `insert into dossier_memberships (user_id, team_id, position_id, starts_on, ends_on, created_at)
      select p, 1 + (p + 7 * past) % {dossier_teams}, 1 + p % 40, case past when 1 then date '2019-01-01' else date '2022-01-01' + p % 700 end,
        case past when 1 then date '2021-12-31' end, ${past('p', 90)}
      from (select 1 + (i - 1) / 2 as p, i % 2 as past ${rows}) made`,
  },
  {
    table: 'dossier_words',
    rows: () => 60,
    insert: `insert into dossier_words (kind, name) select ${word(['category', 'type', 'review-category'], 'i')}, 'Word ' || i ${rows}`,
  },
  {
    table: 'dossier_feedbacks',
    rows: (n) => 2 * n,
    insert: `insert into dossier_feedbacks (subject_id, author_id, category_id, type_id, content, visibility, is_draft, published_at,
        follow_up_on, follow_up_by_id, reminded_at, acknowledged_at, created_at)
      select case when i % 50 = 0 then 7 else ${person} end, author, 3 + i % 20 * 3, 1 + i % 20 * 3,
        'What was said ' || md5(i::text) || ', and agreed ' || md5((i * 7)::text),
        ${word(['subject-and-manager', 'team', 'manager', 'private', 'subject-and-manager'], 'i / 7')}, i % 100 = 3, ${past('i', 40)},
        case when i % 10 = 0 then current_date + (i % 700 - 400)::int end, case when i % 10 = 0 then author end,
        case when i % 700 < 400 then now() end, case when i % 3 = 0 and i % 100 <> 3 then ${past('i', 35)} end, ${past('i', 40)}
      from (select i, 1 + i * 31 % {users} as author ${rows}) made`,
  },
  {
    table: 'dossier_feedback_edits',
    rows: (n) => share(n, 5, 20),
    insert: `insert into dossier_feedback_edits (feedback_id, by, content, visibility)
      select 1 + i * 5 % {dossier_feedbacks}, 1 + i * 5 * 31 % {users}, 'What was said before', 'private' ${rows}`,
  },
  {
    table: 'dossier_talks',
    rows: (n) => share(n, 10, 20),
    insert: `insert into dossier_talks (kind, title, person_id, lead_id, held_on, state, questions, goals, created_at)
      select 'one-to-one', 'One-to-one ' || i, ${person}, 1 + i * 31 % {users}, current_date - (i % 900)::int,
        ${word(['closed', 'closed', 'released', 'preparing'], 'i')}, array['How was it?', 'What next?'], array['Rest'], ${past('i', 400)} ${rows}`,
  },
  {
    table: 'dossier_talk_answers',
    rows: (n) => share(n, 10, 20) * 2,
    insert: `insert into dossier_talk_answers (talk_id, user_id, texts, is_ready)
      select t, case i % 2 when 0 then 1 + t % {users} else 1 + t * 31 % {users} end, array['Well', 'More'], true
      from (select i, 1 + (i - 1) / 2 as t ${rows}) made on conflict do nothing`,
  },
]
