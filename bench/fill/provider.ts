/**
 * A provider in plain SQL, with the proportions of a real one: an owner has twenty websites, a server 2,500; one
 * website in five has a workflow with five actions; staff are few.
 */
export interface Part {
  table: string
  /** Number of rows for so many websites. */
  rows(websites: number): number
  /** Inserts rows $1 to $2. `{owners}` is replaced by the number of owners. */
  insert: string
}

export const past = (column: string, seconds: number) => `now() - ${column} * interval '${seconds} seconds'`

const keep = `'{"last": 3, "hourly": 0, "daily": 14, "weekly": 8, "monthly": 12, "yearly": 2}'`

export const provider: Part[] = [
  {
    table: 'roles',
    rows: (n) => share(n, 200_000, 4),
    insert: `insert into roles (name, scopes) select 'Role ' || i, array['website:website:read', 'server:server:read']
      from generate_series($1::int, $2::int) i`,
  },
  {
    table: 'departments',
    rows: (n) => share(n, 200_000, 4),
    insert: `insert into departments (name) select 'Department ' || i from generate_series($1::int, $2::int) i`,
  },
  {
    table: 'users',
    rows: (n) => share(n, 100, 20),
    insert: `insert into users (username, email, first_name, last_name, password_hash, role_id, department_id, created_at, updated_at)
      select 'staff' || i, 'staff' || i || '@example.org', initcap(substr(md5(i::text), 1, 6)), initcap(substr(md5(i::text), 7, 8)),
        '-', 1 + i % {roles}, 1 + i % {departments}, ${past('i', 60)}, ${past('i', 30)} from generate_series($1::int, $2::int) i`,
  },
  {
    table: 'owners',
    rows: (n) => share(n, 20, 20),
    insert: `insert into owners (name, email, created_at, updated_at)
      select initcap(substr(md5(i::text), 1, 7)) || ' ' || i, 'owner' || i || '@example.org', ${past('i', 90)}, ${past('i', 40)}
      from generate_series($1::int, $2::int) i`,
  },
  {
    table: 'servers',
    rows: (n) => share(n, 2500, 4),
    insert: `insert into servers (name, address, type, status, provisioned_at, enrolled_at, credential_hash, created_at)
      select 'web-' || i, '10.' || i / 65536 || '.' || i / 256 % 256 || '.' || i % 256, (array['web', 'all-in-one', 'dns', 'mail'])[1 + i / 3 % 4],
        case when i % 50 = 7 then 'down' else 'up' end, now(), now(), md5('credential ' || i), ${past('i', 3600)}
      from generate_series($1::int, $2::int) i`,
  },
  {
    table: 'server_states',
    rows: (n) => share(n, 2500, 4),
    insert: `insert into server_states (server_id, last_seen_at, agent_version, os, arch, uptime, cores, load, memory_total, memory_used,
        disk_total, disk_used, services, operations, addresses, not_enforced)
      select i, now() + interval '1 day', '0.1.0', 'Debian 12', 'x64', 1e6, 8, i % 8, 32e9, 9e9, 1e12, 3e11,
        '[{"name":"nginx","version":"1.22","state":"active","detail":null}]', '{}', '{}', '{}' from generate_series($1::int, $2::int) i`,
  },
  {
    table: 'system_users',
    rows: (n) => share(n, 20, 20),
    insert: `insert into system_users (username, server_id, owner_id, plan_id, home_dir, shell)
      select 'u' || i, 1 + i % {servers}, i, 1 + i % 5, '/home/u' || i, '/usr/sbin/nologin' from generate_series($1::int, $2::int) i`,
  },
  {
    table: 'websites',
    rows: (n) => n,
    insert: `insert into websites (domain, status, owner_id, server_id, plan_id, system_user_id, document_root, php_version, created_at, updated_at)
      select substr(md5(i::text), 1, 10) || '-' || i || '.example',
        case when i % 90 = 0 then 'failed' when i % 32 = 0 then 'suspended' else 'active' end, o, 1 + o % {servers}, 1 + o % 5, o,
        '/home/u' || o || '/public', case when i % 3 = 0 then '8.3' else '8.2' end, ${past('i', 7)}, ${past('i', 3)}
      from (select i, 1 + (i % {owners})::int as o from generate_series($1::int, $2::int) i) made`,
  },
  {
    table: 'workflows',
    rows: (n) => share(n, 5, 10),
    insert: `insert into workflows (kind, subject_type, subject_id, subject_name, status, holder, started_by_id, started_at, ended_at)
      select 'website.create', 'website', i, substr(md5(i::text), 1, 10) || '-' || i || '.example',
        case when i % 90 = 0 then 'failed' else 'done' end, 'Some One', 1 + i % {users}, ${past('i', 35)},
        case when i % 90 > 0 then ${past('i', 35)} + interval '9 seconds' end from generate_series($1::int, $2::int) i`,
  },
  {
    table: 'actions',
    rows: (n) => share(n, 5, 10) * 5,
    insert: `insert into actions (workflow_id, position, name, title, what, resource_type, resource_id, resource_name, input, lane, server_id,
        status, attempt, reason, ready_at, started_at, ended_at)
      select w, p, (array['system-user.ensure', 'document-root.ensure', 'php-pool.ensure', 'nginx-site.ensure', 'website.probe'])[p],
        (array['System user', 'Document root', 'PHP pool', 'nginx site', 'Probe'])[p], 'what it does in one line',
        (array['system-user', 'document-root', 'php-pool', 'nginx-site', 'website'])[p], w, substr(md5(w::text), 1, 10) || '-' || w || '.example',
        '{}', 'short', case when p < 5 then 1 + (1 + w % {owners}) % {servers} end,
        case when w % 90 > 0 or p < 4 then 'done' when p = 4 then 'failed' else 'pending' end, case when w % 90 > 0 or p < 5 then 1 else 0 end,
        case when w % 90 = 0 and p = 4 then 'the disk is full' end, ${past('w', 35)}, ${past('w', 35)}, ${past('w', 34)}
      from (select 1 + (i - 1) / 5 as w, 1 + (i - 1) % 5 as p from generate_series($1::int, $2::int) i) made`,
  },
  {
    table: 'latest_actions',
    rows: (n) => share(n, 5, 10) * 5,
    insert: `insert into latest_actions (resource_type, resource_id, action_id, workflow_id, website_id, server_id)
      select resource_type, resource_id, action_id, workflow_id, workflow_id, server_id from actions
      where action_id between $1::int and $2::int on conflict do nothing`,
  },
  {
    table: 'action_logs',
    rows: (n) => n,
    insert: `insert into action_logs (at, staff_id, staff_name, service, action, resource, resource_id, result, after, ip, request_id)
      select now() - ({action_logs} - i) * interval '4 seconds', s, 'Staff ' || s, (array['website', 'server', 'dns', 'users'])[1 + i % 4],
        (array['create', 'update', 'delete', 'retry', 'status'])[1 + i / 4 % 5], (array['website', 'server', 'zone', 'user'])[1 + i % 4], i::text,
        case when i % 40 = 0 then 'denied' when i % 25 = 0 then 'failed' else 'success' end, jsonb_build_object('name', 'thing-' || i),
        '192.0.2.' || i % 250, md5(i::text)::uuid::text
      from (select i, 1 + i % {users} as s from generate_series($1::int, $2::int) i) made`,
  },
  {
    table: 'action_log_seals',
    rows: (n) => n,
    insert: `insert into action_log_seals (position, action_log_id, hash) select i, i, md5(i::text) || md5(i::text)
      from generate_series($1::int, $2::int) i`,
  },
  {
    table: 'backup_servers',
    rows: () => 4,
    insert: `insert into backup_servers (server_id, port, status, keep) select i, 8000, 'ready', ${keep}
      from generate_series($1::int, $2::int) i`,
  },
  {
    table: 'backup_schedules',
    rows: (n) => share(n, 10, 100),
    insert: `insert into backup_schedules (name, website_id, backup_server_id, kind, "when", spread, keep, created_at)
      select 'Schedule ' || i, i, 1 + i % {backup_servers}, 'full', '{"every": "day", "at": "02:30", "weekday": 1, "day": 1}', 120, ${keep},
        ${past('i', 60)} from generate_series($1::int, $2::int) i`,
  },
  {
    table: 'backup_copies',
    rows: (n) => share(n, 10, 100),
    insert: `insert into backup_copies (backup_repository_id, target_repository_id)
      select i, 1 + i % {backup_repositories} from generate_series($1::int, $2::int) i`,
  },
]

export function share(websites: number, each: number, least: number): number {
  return Math.max(least, Math.floor(websites / each))
}
