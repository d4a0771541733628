import { type Part, past, share } from './provider.ts'

/** Seconds of a year, and the span in which history is kept, in days. */
const YEAR_S = 365 * 86_400
const LOG_DAYS = 90
const FIGURE_DAYS = 7

/** How often each object writes, on a provider whose websites are backed up each night. */
const rates = {
  /** Calls that the action log notes, for each website and day: changes, sign-ins, reads of what is logged. */
  logged: 1,
  /** Lines of the log and of the agents for each backup. */
  lines: 3,
  /** Actions in the workflow of one backup. */
  actions: 4,
  /** Removed backups of 365: the rest are the daily, weekly and monthly ones of the policy. */
  kept: 34,
  notifications: 0.2,
}

const nights = (n: number) => n * 365
const series = 'from generate_series($1::int, $2::int) i'
/** Backup i is of website `site` in the night `back` days ago. */
const night =
  '(select i, 1 + (i - 1) % {websites} as site, 365 - (i - 1) / {websites} as back from generate_series($1::int, $2::int) i) made'
const at = `now() - make_interval(days => back) + site * interval '5 seconds'`
/** The first ids of the year; the rows before are the provider's own. */
const FIRST = 100_000_000

/**
 * What a year adds to a provider, in plain SQL, as the retention leaves it: each night's backup with its workflow, task and lines,
 * the action log, heartbeats, traffic and notifications.
 */
export const year: Part[] = [
  {
    table: 'workflows',
    rows: nights,
    insert: `insert into workflows (workflow_id, kind, subject_type, subject_id, subject_name, status, holder, started_at, ended_at)
      overriding system value select ${FIRST} + i, 'backup.run', 'backup', ${FIRST} + i, w.domain, 'done', 'schedule', ${at},
        ${at} + interval '40 seconds' from ${night} join websites w on w.website_id = site`,
  },
  {
    table: 'actions',
    rows: (n) => nights(n) * rates.actions,
    insert: `insert into actions (workflow_id, position, name, title, what, resource_type, resource_id, resource_name, input, lane, server_id,
        status, attempt, ready_at, started_at, ended_at)
      select ${FIRST} + run, p, (array['backup-program.ensure', 'backup-settings.run', 'backup-files.run', 'backup-database.run'])[p],
        (array['restic', 'Settings', 'Files', 'Database'])[p], 'what it does in one line', 'backup', ${FIRST} + run, w.domain,
        jsonb_build_object('repository', 'https://backup-1.example:8000/web-1/', 'tags', array['website-' || site], 'files', w.document_root),
        'long', w.server_id, 'done', 1, started, started, started + interval '9 seconds'
      from (select *, now() - make_interval(days => 365 - (run - 1) / {websites}) as started, 1 + (run - 1) % {websites} as site
        from (select 1 + (i - 1) / ${rates.actions} as run, 1 + (i - 1) % ${rates.actions} as p ${series}) counted) made
      join websites w on w.website_id = site`,
  },
  {
    table: 'backups',
    rows: nights,
    insert: `insert into backups (backup_id, website_id, domain, server_id, backup_repository_id, kind, mode, status, bytes, added, files,
        started_at, ended_at, parts, configuration, workflow_id, created_at, deleted_at)
      overriding system value select ${FIRST} + i, site, w.domain, w.server_id, 1 + site % 4, 'full', 'scheduled', 2, 900000000, 4000000, 30000,
        ${at}, ${at} + interval '40 seconds',
        jsonb_build_array(jsonb_build_object('resource', 'website', 'resourceId', site, 'name', w.domain, 'snapshot', repeat(md5(i::text), 2),
          'bytes', 900000000, 'added', 4000000, 'files', 30000, 'problem', null),
          jsonb_build_object('resource', 'mysql', 'resourceId', site, 'name', 'db' || site, 'snapshot', repeat(md5('d' || i), 2),
          'bytes', 90000000, 'added', 400000, 'files', 1, 'problem', null)),
        jsonb_build_object('php', '8.3', 'documentRoot', w.document_root, 'names', array[w.domain, 'www.' || w.domain], 'limits',
          jsonb_build_object('memory', '256M', 'upload', '64M', 'children', 10), 'databases', array['db' || site], 'ftp', '{}'::text[]),
        ${FIRST} + i, ${at}, case when back > ${rates.kept} then ${at} + make_interval(days => ${rates.kept}) end
      from ${night} join websites w on w.website_id = site`,
  },
  {
    table: 'backup_tasks',
    rows: nights,
    insert: `insert into backup_tasks (backup_task_id, type, status, resource, subject, backup_id, backup_repository_id, website_id, started_by,
        ended_at, workflow_id, created_at)
      overriding system value select ${FIRST} + i, 'backup', 'done', 'website', w.domain, ${FIRST} + i, 1 + site % 4, site, 'schedule',
        ${at} + interval '40 seconds', ${FIRST} + i, ${at} from ${night} join websites w on w.website_id = site`,
  },
  {
    table: 'backup_logs',
    rows: (n) => n * LOG_DAYS * rates.lines,
    insert: `insert into backup_logs (at, level, message, backup_task_id, backup_repository_id, website_id)
      select now() - make_interval(days => ${LOG_DAYS}) + (i / ${rates.lines}) * (interval '1 day' / {websites}),
        'info', 'Files of website ' || i % {websites} || ': 30000 files, 900 MB, 4 MB new', ${FIRST} + {backups} - {websites} * ${LOG_DAYS} + 1 + (i - 1) / ${rates.lines},
        1 + i % 4, 1 + (i / ${rates.lines}) % {websites} ${series}`,
  },
  {
    table: 'action_outputs',
    rows: (n) => n * LOG_DAYS * rates.lines,
    insert: `insert into action_outputs (action_id, attempt, seq, at, text)
      select (select max(action_id) from actions) - i / ${rates.lines}, 1, i % ${rates.lines},
        now() - (i / ${rates.lines}) * (interval '1 day' / {websites}), 'snapshot ' || md5(i::text) || ' saved, 30000 files' ${series}`,
  },
  {
    table: 'action_logs',
    rows: (n) => Math.floor(nights(n) * rates.logged),
    insert: `insert into action_logs (action_log_id, at, staff_id, staff_name, service, action, resource, resource_id, result, after, ip, request_id)
      overriding system value select ${FIRST} + i, now() - ({action_logs} - i) * (interval '1 second' * ${YEAR_S} / {action_logs}), s, 'Staff ' || s,
        (array['website', 'server', 'dns', 'users'])[1 + i % 4], (array['create', 'update', 'delete', 'retry', 'status'])[1 + i / 4 % 5],
        (array['website', 'server', 'zone', 'user'])[1 + i % 4], i::text, case when i % 40 = 0 then 'denied' else 'success' end,
        jsonb_build_object('name', 'thing-' || i, 'plan', i % 5), '192.0.2.' || i % 250, md5(i::text)::uuid::text
      from (select i, 1 + i % {users} as s ${series}) made`,
  },
  {
    table: 'action_log_seals',
    rows: (n) => Math.floor(nights(n) * rates.logged),
    insert: `insert into action_log_seals (position, action_log_id, hash) select ${FIRST} + i, ${FIRST} + i, md5(i::text) || md5('s' || i) ${series}`,
  },
  {
    table: 'heartbeats',
    rows: (n) => share(n, 2500, 4) * FIGURE_DAYS * 1440,
    insert: `insert into heartbeats (server_id, at, cores, load, memory_total, memory_used, disk_total, disk_used)
      select 1 + i % {servers}, date_trunc('minute', now()) - (i / {servers}) * interval '1 minute', 8, 1.5, 32e9, 9e9, 1e12, 3e11
      ${series} on conflict do nothing`,
  },
  {
    table: 'vhost_traffic',
    rows: (n) => share(n, 10, 100) * FIGURE_DAYS * 96,
    insert: `insert into vhost_traffic (vhost_id, network, at, hits, misses, passed, bytes)
      select 1 + i % {vhosts}, 'cdn', date_trunc('hour', now()) - (i / {vhosts}) * interval '15 minutes', 90, 10, 5, 4000000
      ${series} on conflict do nothing`,
  },
  {
    table: 'notifications',
    rows: (n) => Math.floor(n * LOG_DAYS * rates.notifications),
    insert: `insert into notifications (user_id, title, body, level, reason, date)
      select 1 + i % {users}, 'A good backup of website ' || i || ' again', 'The backup of this night is good.', 'info', 'backup', ${past('i', 400)}
      ${series}`,
  },
]
