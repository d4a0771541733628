import { type Part, past, share } from './provider.ts'

/**
 * Data of the staff of a provider: notifications, files, a calendar. These tables have rules beyond their column types:
 * folders form a tree, shifts and leaves of a person must not overlap, and values come from the contract.
 */
const each = (websites: number) => Math.max(100, Math.floor(websites / 10))
const word = (words: readonly string[], column = 'i') =>
  `(array[${words.map((one) => `'${one}'`).join(', ')}])[1 + ${column} % ${words.length}]`
const rows = 'from generate_series($1::int, $2::int) i'
/** A name that searches match partially. */
const name = (what: string) => `'${what} ' || substr(md5(i::text), 1, 8) || '-' || i`
/** Every fifteenth day for each person. */
const day = `current_date + ((i / ({users} + 1)) * 15 % 720 - 540)::int`
const person = '1 + i % ({users} + 1)'

export const staff: Part[] = [
  {
    table: 'notifications',
    rows: each,
    insert: `insert into notifications (user_id, reason, level, title, body, link, date, read_at)
      select ${person}, ${word(['workflow', 'server', 'certificate', 'leave', 'shifts'])}, ${word(['info', 'success', 'warning', 'error'])},
        ${name('Notice')}, 'What happened, in a line', '/websites', ${past('i', 60)}, case when i % 3 > 0 then now() end ${rows}`,
  },
  {
    table: 'folders',
    rows: each,
    insert: `insert into folders (name, parent_id, private, hidden, owner_id)
      select ${name('Folder')}, case when i > 200 then i / 200 end, i % 5 = 0, false, ${person} ${rows}`,
  },
  {
    table: 'files',
    rows: each,
    insert: `insert into files (name, path, size, type, kind, sha256, folder_id, owner_id, is_private, created_at)
      select ${name('file')} || '.txt', md5('path ' || i), i * 7 % 900000, 'text/plain', ${word(['picture', 'pdf', 'text', 'archive'])},
        md5(i::text) || md5(i::text), case when i % 51 > 0 then 1 + i % {folders} end, ${person}, i % 5 = 0, ${past('i', 40)} ${rows}`,
  },
  {
    table: 'file_downloads',
    rows: each,
    insert: `insert into file_downloads (file_id, staff_id, at, ip)
      select 1 + i % 500, ${person}, ${past('i', 20)}, '192.0.2.' || i % 250 ${rows}`,
  },
  {
    table: 'leaves',
    rows: each,
    insert: `insert into leaves (user_id, leave_type_id, start_date, end_date, start_part, end_part, halves, reason, status, reviewed_by, reviewed_at, created_at)
      select ${person}, 1 + i % 3, ${day}, ${day} + 2, 'full', 'full', 6, 'Away',
        case when i / ({users} + 1) >= 48 then 'cancelled' else ${word(['approved', 'approved', 'pending', 'rejected'])} end, 1, ${past('i', 10)}, ${past('i', 20)} ${rows}`,
  },
  {
    table: 'leave_cancellations',
    rows: each,
    insert: `insert into leave_cancellations (leave_id, status, reason, created_at)
      select i, ${word(['approved', 'rejected'])}, 'It rains', ${past('i', 20)} ${rows}`,
  },
  {
    table: 'leave_entitlements',
    rows: (n) => share(n, 100, 20),
    insert: `insert into leave_entitlements (user_id, leave_type_id, halves) select i, 1, 40 + i % 20 ${rows}`,
  },
  {
    table: 'leave_ledger',
    rows: each,
    insert: `insert into leave_ledger (user_id, leave_type_id, year, halves, kind, created_at)
      select ${person}, 1, 2026, case when i % 2 = 0 then 2 else -2 end, ${word(['adjust', 'use'])}, ${past('i', 20)} ${rows}`,
  },
  {
    table: 'leave_approver_lists',
    rows: () => 5,
    insert: `insert into leave_approver_lists (department_id) select i ${rows}`,
  },
  {
    table: 'shift_types',
    rows: () => 200,
    insert: `insert into shift_types (name, code, start_time, end_time, break_minutes, colour)
      select ${name('Shift')}, 'S' || i, '08:00', '16:00', 30, ${word(['primary', 'secondary', 'accent', 'info'])} ${rows}`,
  },
  {
    table: 'shifts',
    rows: (n) => n,
    insert: `insert into shifts (user_id, department_id, date, shift_type_id, name, code, colour, start_minute, end_minute, break_minutes, starts_at, ends_at,
        time_zone, night_steps, weighted420, status, source)
      select p, 1 + p % {departments}, d, 1 + i % 200, 'Day', 'D', 'info', 480, 960, 30, d + time '08:00', d + time '16:00', 'UTC', 0, 3150,
        ${word(['published', 'published', 'draft'])}, ${word(['manual', 'bulk', 'copy'])}
      from (select i, ${person} as p, current_date + 60 - (i / ({users} + 1))::int as d ${rows}) made`,
  },
  {
    table: 'events',
    rows: each,
    insert: `insert into events (title, description, type, starts_at, ends_at, all_day, time_zone, location, organizer_id, created_at)
      select ${name('Event')}, 'What it is about', ${word(['meeting', 'training', 'maintenance', 'other'])}, now() + (i % 9000 - 6000) * interval '2 hours',
        now() + (i % 9000 - 6000) * interval '2 hours' + interval '1 hour', false, 'Europe/Oslo', 'Room ' || i % 9, ${person}, ${past('i', 30)} ${rows}`,
  },
  {
    table: 'attendants',
    rows: each,
    insert: `insert into attendants (event_id, user_id, rsvp, invited_by_id)
      select 1 + i / 50, 1 + i % 50, ${word(['needs-action', 'accepted', 'tentative', 'declined'])}, 1 ${rows}`,
  },
  {
    table: 'attendances',
    rows: each,
    insert: `insert into attendances (event_id, user_id, attendance, noted_by_id)
      select 1 + i / 50, 1 + i % 50, ${word(['present', 'absent', 'excused'])}, 1 ${rows}`,
  },
  {
    table: 'national_events',
    rows: () => 200,
    insert: `insert into national_events (name, kind, month, day, substitution, is_day_off, valid_from)
      select ${name('Day')}, 'fixed', 1 + i % 12, 1 + i % 28, 'none', true, 2000 ${rows}`,
  },
  {
    table: 'repeatable_events',
    rows: () => 200,
    insert: `insert into repeatable_events (title, type, rrule, start_local, time_zone, duration_min, all_day, organizer_id)
      select ${name('Round')}, ${word(['meeting', 'training'])}, 'FREQ=WEEKLY;COUNT=10', '2026-01-05T09:00', 'Europe/Oslo', 30, false, ${person} ${rows}`,
  },
]
