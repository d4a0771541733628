import { hash, prose } from './prose.ts'
import { type Part, past, share } from './provider.ts'

const rows = 'from generate_series($1::int, $2::int) i'

/** FTP users, mailboxes and text messages with as many rows as websites. */
export const services: Part[] = [
  {
    table: 'ftp_users',
    rows: (n) => n,
    insert: `insert into ftp_users (username, website_id, server_id, folder, quota_mb, status, secret, state, last_login_at, created_at)
      select 'ftp' || md5(i::text), i, w.server_id, '/uploads', case when i % 3 = 0 then 500 end,
        case when i % 60 = 0 then 'suspended' else 'active' end, 'ftp-' || i, 'ready', case when i % 4 > 0 then ${past('i', 5)} end, ${past('i', 20)}
      ${rows} join websites w on w.website_id = i`,
  },
  {
    table: 'mailboxes',
    rows: (n) => share(n, 4, 10),
    insert: `insert into mailboxes (domain, website_id, server_id, state, created_at)
      select w.domain, i, w.server_id, 'applied', ${past('i', 20)} ${rows} join websites w on w.website_id = i`,
  },
  {
    table: 'mailbox_users',
    rows: (n) => share(n, 4, 10) * 4,
    insert: `insert into mailbox_users (mailbox_id, local_part, address, name, quota_mb, used, messages, password_set_at, created_at)
      select mailbox_id, part, part || '@' || domain, initcap(${prose('i', 2)}), 1000 * (1 + i % 5),
        case when i % 10 > 0 then ${hash('i')}::bigint * 1000 % 5000000000 end, i % 9000, ${past('i', 20)}, ${past('i', 20)}
      from (select i, (array['info', 'post', 'sales', 'support'])[1 + i % 4] as part ${rows}) made
      join mailboxes on mailbox_id = 1 + (i - 1) / 4`,
  },
  {
    table: 'sms_batches',
    rows: (n) => n,
    insert: `insert into sms_batches (kind, body, values, targets, expanded_at, created_at, created_by)
      select 'message', ${prose('i', 12)}, '{}', '{"numbers": [], "users": [], "departments": [], "shifts": []}', ${past('i', 20)},
        ${past('i', 20)}, 1 + i % {users} ${rows}`,
  },
  {
    table: 'sms_messages',
    rows: (n) => n,
    insert: `insert into sms_messages (sms_batch_id, kind, number, body, encoding, segments, status, key, attempts, sent_at, ended_at, cost,
        created_at, created_by)
      select i, 'message', '+4790' || lpad((i % 900000)::text, 6, '0'), ${prose('i', 12)}, 'GSM-7', 1,
        case when i % 40 = 0 then 'failed' when i % 9 = 0 then 'sent' else 'delivered' end, md5(i::text), 1, ${past('i', 20)}, ${past('i', 20)},
        45000, ${past('i', 20)}, 1 + i % {users} ${rows}`,
  },
]
