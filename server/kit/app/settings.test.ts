import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readSettings } from './settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'innkeeper-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

const read = (env: NodeJS.ProcessEnv) => readSettings({ INNKEEPER_DATA: folder, ...env }, [])
const postgres = { DATABASE_URL: 'postgres://a:b@db/x', INNKEEPER_KEY: 'a key for tests only' }

describe('settings that contradict each other are refused, and both are named', () => {
  it.each([
    [{ ...postgres, INNKEEPER_KEY_FILE: '/etc/key' }, /INNKEEPER_KEY and INNKEEPER_KEY_FILE/],
    [{ DATABASE_OWNER_URL: 'postgres://o@db/x' }, /DATABASE_OWNER_URL needs DATABASE_URL/],
    [{ ...postgres, DATABASE_OWNER_URL: 'postgres://o@db/y' }, /name different databases/],
    [{ DATABASE_REPLICA_URL: 'postgres://o@db/x' }, /DATABASE_REPLICA_URL needs DATABASE_URL/],
    [
      { ...postgres, DATABASE_REPLICA_URL: 'postgres://o@db/y' },
      /DATABASE_REPLICA_URL and DATABASE_URL name different/,
    ],
    [{ ...postgres, DATABASE_REPLICA_URL: postgres.DATABASE_URL }, /DATABASE_REPLICA_URL is DATABASE_URL/],
    [{ INNKEEPER_CERTIFICATE: '/a.pem' }, /needs INNKEEPER_CERTIFICATE_KEY/],
    [{ INNKEEPER_CERTIFICATE_KEY: '/a.pem' }, /INNKEEPER_CERTIFICATE_KEY needs INNKEEPER_CERTIFICATE/],
    [{ INNKEEPER_HTTP_PORT: '80' }, /INNKEEPER_HTTP_PORT needs INNKEEPER_CERTIFICATE/],
    [{ INNKEEPER_CERTIFICATE: 'acme', INNKEEPER_HTTP_PORT: '80' }, /needs INNKEEPER_PUBLIC_HOST/],
    [{ INNKEEPER_CERTIFICATE: 'acme', INNKEEPER_HTTP_PORT: '80', INNKEEPER_PUBLIC_HOST: '10.0.0.1' }, /a public name/],
    [{ INNKEEPER_CERTIFICATE: 'acme', INNKEEPER_PUBLIC_HOST: 'a.example.org' }, /needs INNKEEPER_HTTP_PORT=80/],
    [{ PORT: '4400', INNKEEPER_AGENT_PORT: '4400' }, /PORT and INNKEEPER_AGENT_PORT are the same port/],
    [{ PORT: '4357', INNKEEPER_WORKER_PORT: '4400' }, /INNKEEPER_AGENT_PORT and INNKEEPER_WORKER_PORT/],
    [
      { INNKEEPER_PUBLIC_HOST: 'https://a.example.org/innkeeper' },
      /INNKEEPER_PUBLIC_HOST: a host name .* without a path/,
    ],
    [{ DATABASE_URL: 'postgres://a:b c@:x' }, /DATABASE_URL: not a URL/],
    [{ INNKEEPER_ALERT_MAIL: 'ops@example.org' }, /INNKEEPER_ALERT_MAIL needs INNKEEPER_SMTP/],
    [{ INNKEEPER_SMTP: 'relay.example.org' }, /INNKEEPER_SMTP: as smtp:/],
    [{ INNKEEPER_ALERT_WEBHOOK: 'https://a.example.org' }, /needs INNKEEPER_ALERT_WEBHOOK_SECRET/],
    [{ INNKEEPER_HEARTBEAT: 'ftp://a.example.org' }, /INNKEEPER_HEARTBEAT: as https:/],
    [{ INNKEEPER_LOG_STREAM: 'https://a.example.org' }, /needs INNKEEPER_LOG_STREAM_SECRET/],
    [{ INNKEEPER_LOG_STREAM: 'syslog://a.example.org' }, /INNKEEPER_LOG_STREAM: as syslog\+tls/],
    [{ INNKEEPER_LOG_STREAM: 'syslog+tls://a', INNKEEPER_LOG_STREAM_CA: '/none' }, /INNKEEPER_LOG_STREAM_CA: ENOENT/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=%zz' }, /OTEL_EXPORTER_OTLP_HEADERS: a %/],
  ])('%j', (env, why) => {
    expect(() => read(env)).toThrow(why)
  })
})

it('reads the key from a file, and names a file that is missing or too short', () => {
  const file = join(folder, 'innkeeper.key')
  const withFile = { DATABASE_URL: postgres.DATABASE_URL, INNKEEPER_KEY_FILE: file }
  expect(() => read(withFile)).toThrow(/INNKEEPER_KEY_FILE: ENOENT/)
  writeFileSync(file, 'short\n')
  expect(() => read(withFile)).toThrow(/fewer than 16 characters/)
  writeFileSync(file, 'a key for tests only\n')
  expect(read(withFile)).toMatchObject({ key: 'a key for tests only' })
})

it('listens for agents where people are listened for, unless their address is a setting', () => {
  expect(read({ HOST: '127.0.0.1' })).toMatchObject({ host: '127.0.0.1', agentHost: '127.0.0.1' })
  expect(read({ HOST: '127.0.0.1', INNKEEPER_AGENT_HOST: '0.0.0.0' })).toMatchObject({ agentHost: '0.0.0.0' })
})
