import { type Part, past, share } from './provider.ts'

/** First banned address: 100.64.0.0. Keys have the format of contract/machines/ipsets/networks.ts. */
const FIRST = 0x64_40_00_00
export const zones = (n: number) => share(n, 100, 100)
const bans = (n: number) => share(n, 10, 1000)

/** Upper sizes of real providers: name servers with a hundred records per zone, and one set with most of the bans. */
export const names: Part[] = [
  {
    table: 'zones',
    rows: zones,
    insert: `insert into zones (domain, active, admin_only, serial, live_serial, digest, records, changed_by, created_at, updated_at)
      select substr(md5(i::text), 1, 10) || '-' || i || '.example', i % 40 > 0, i % 60 = 0, 2026112101, 2026112101, md5(i::text), 100,
        'Some One', ${past('i', 900)}, ${past('i', 300)} from generate_series($1::int, $2::int) i`,
  },
  {
    table: 'records',
    rows: (n) => zones(n) * 100,
    insert: `insert into records (zone_id, name, type, ttl, priority, content)
      select 1 + (i - 1) / 100, case when i % 100 < 4 then '@' else (array['www', 'mail', 'shop', 'host'])[1 + i % 4] || i % 100 end,
        (array['A', 'AAAA', 'TXT', 'MX'])[1 + i % 4], (array[300, 3600, 86400])[1 + i % 3], case when i % 4 = 3 then 10 end,
        (array['192.0.2.' || i % 250, '2001:db8::' || to_hex(i), '"' || md5(i::text) || '"', 'mail' || i || '.example.'])[1 + i % 4]
      from generate_series($1::int, $2::int) i`,
  },
  {
    table: 'zone_states',
    rows: (n) => zones(n) * 2,
    insert: `insert into zone_states (zone_id, server_id, seen, serial, at)
      select 1 + (i - 1) / 2, 1 + (i - 1) % 2, case when i % 97 = 0 then 'behind' else 'same' end, 2026112101, ${past('i', 5)}
      from generate_series($1::int, $2::int) i`,
  },
  {
    table: 'zone_changes',
    rows: (n) => zones(n) * 5,
    insert: `insert into zone_changes (zone_id, at, by, kind, serial)
      select 1 + (i - 1) / 5, ${past('i', 60)}, 'Some One', 'edit', 2026112100 + i % 5 from generate_series($1::int, $2::int) i`,
  },
  {
    table: 'zone_change_lines',
    rows: (n) => zones(n) * 10,
    insert: `insert into zone_change_lines (change_id, zone_id, sign, name, type, ttl, content, until)
      select 1 + (i - 1) / 2, 1 + (i - 1) / 10, case when i % 2 = 0 then '-' else '+' end, 'www', 'A', 300, '192.0.2.' || i % 250,
        case when i % 2 = 0 then ${past('i', 60)} end from generate_series($1::int, $2::int) i`,
  },
  {
    table: 'ip_sets',
    rows: (n) => share(n, 20_000, 4),
    insert: `insert into ip_sets (name, description, everywhere, max_elements, change, bans, created_at)
      select 'set-' || i, 'Who was seen to ' || md5(i::text), true, 500000, 1, case when i = 1 then {bans} else 0 end, ${past('i', 9000)}
      from generate_series($1::int, $2::int) i`,
  },
  {
    table: 'bans',
    rows: bans,
    insert: `insert into bans (set_id, ip, first, reason, origin, banned_by, at, expires_at, change, ended_at, ended_by, ended_change)
      select 1, '100.' || 64 + i / 65536 || '.' || i / 256 % 256 || '.' || i % 256, '4' || lpad(to_hex(${FIRST} + i), 8, '0'),
        (array['a flood', 'guesses passwords', 'a feed of others'])[1 + i % 3], case when i % 3 = 2 then 'import' else 'person' end,
        'Some One', ${past('i', 20)}, case when i % 2 = 0 then now() + i * interval '9 seconds' end, 1,
        case when i % 10 = 0 then ${past('i', 10)} end, case when i % 10 = 0 then 'Some One' end, case when i % 10 = 0 then 1 end
      from generate_series($1::int, $2::int) i`,
  },
]
