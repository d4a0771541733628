import { isIP } from 'node:net'

/** Settings of the environment that depend on each other. */
interface Given {
  PORT: number
  DATABASE_URL?: string | undefined
  DATABASE_OWNER_URL?: string | undefined
  DATABASE_REPLICA_URL?: string | undefined
  INNKEEPER_KEY?: string | undefined
  INNKEEPER_KEY_FILE?: string | undefined
  INNKEEPER_AGENT_PORT: number
  INNKEEPER_PREVIEW_PORT?: number | undefined
  INNKEEPER_HTTP_PORT?: number | undefined
  INNKEEPER_WORKER_PORT?: number | undefined
  INNKEEPER_PUBLIC_HOST?: string | undefined
  INNKEEPER_CERTIFICATE?: string | undefined
  INNKEEPER_CERTIFICATE_KEY?: string | undefined
}

/** Says which settings contradict each other; undefined if none do. */
export function contradictionIn(s: Given): string | undefined {
  return keys(s) ?? databases(s) ?? certificates(s) ?? ports(s)
}

const keys = (s: Given) =>
  s.INNKEEPER_KEY && s.INNKEEPER_KEY_FILE
    ? 'INNKEEPER_KEY and INNKEEPER_KEY_FILE both name the key: remove one of them'
    : undefined

function databases(s: Given): string | undefined {
  const serving = s.DATABASE_URL
  for (const name of ['DATABASE_OWNER_URL', 'DATABASE_REPLICA_URL'] as const) {
    const other = s[name]
    if (!other) continue
    if (!serving) return `${name} needs DATABASE_URL`
    if (new URL(other).pathname !== new URL(serving).pathname)
      return `${name} and DATABASE_URL name different databases`
  }
  return s.DATABASE_REPLICA_URL && s.DATABASE_REPLICA_URL === serving
    ? 'DATABASE_REPLICA_URL is DATABASE_URL: name a standby, or remove the setting'
    : undefined
}

function certificates(s: Given): string | undefined {
  const { INNKEEPER_CERTIFICATE: certificate, INNKEEPER_CERTIFICATE_KEY: key, INNKEEPER_PUBLIC_HOST: name } = s
  if (!certificate)
    return key || s.INNKEEPER_HTTP_PORT !== undefined
      ? `${key ? 'INNKEEPER_CERTIFICATE_KEY' : 'INNKEEPER_HTTP_PORT'} needs INNKEEPER_CERTIFICATE`
      : undefined
  if (certificate !== 'acme')
    return key ? undefined : 'INNKEEPER_CERTIFICATE needs INNKEEPER_CERTIFICATE_KEY, the file with its private key'
  if (key) return 'INNKEEPER_CERTIFICATE=acme needs no INNKEEPER_CERTIFICATE_KEY'
  if (!name || isIP(name) || !name.includes('.'))
    return 'INNKEEPER_CERTIFICATE=acme needs INNKEEPER_PUBLIC_HOST, a public name that leads to this machine'
  if (s.INNKEEPER_HTTP_PORT === undefined)
    return 'INNKEEPER_CERTIFICATE=acme needs INNKEEPER_HTTP_PORT=80: the authority asks there'
  return undefined
}

function ports(s: Given): string | undefined {
  const used = new Map<number, string>()
  for (const name of [
    'PORT',
    'INNKEEPER_AGENT_PORT',
    'INNKEEPER_PREVIEW_PORT',
    'INNKEEPER_HTTP_PORT',
    'INNKEEPER_WORKER_PORT',
  ] as const) {
    const port = s[name]
    if (!port) continue // 0 picks a free port
    const other = used.get(port)
    if (other) return `${other} and ${name} are the same port, ${port}`
    used.set(port, name)
  }
  return undefined
}
