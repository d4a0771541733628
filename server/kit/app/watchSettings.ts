import { readFileSync } from 'node:fs'
import * as z from 'zod'

const list = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((one) => one.trim() || []))
const urlOf = (protocol: RegExp, example: string) =>
  z
    .url({ protocol, error: `as ${example}` })
    .refine((text) => URL.canParse(text) && new URL(text).hostname !== '', `as ${example}`)
const web = urlOf(/^https?$/, 'https://host.example.com/path')
const secret = z
  .string()
  .regex(
    /^whsec_[A-Za-z0-9+/]{24,172}={0,2}$/,
    'whsec_ and base64, as `echo whsec_$(openssl rand -base64 32)` makes it',
  )
const path = z.string().min(1).optional()

/** Settings with which Innkeeper is watched from outside. */
export const watchEnvironment = {
  /** Recipients of alerts about Innkeeper itself. */
  INNKEEPER_ALERT_MAIL: list.refine(
    (all) => all.length <= 20 && all.every((one) => /^[^\s@,<>"]{1,64}@[a-z0-9.-]{1,253}$/i.test(one)),
    'addresses, as ops@example.com,duty@example.com',
  ),
  INNKEEPER_ALERT_FROM: z.email().optional(),
  /** Relay for mail: smtp:// (STARTTLS) or smtps://, with user and password if it wants them. */
  INNKEEPER_SMTP: urlOf(
    /^smtps?$/,
    'smtp://relay.example.com:587 or smtps://user:password@relay.example.com',
  ).optional(),
  INNKEEPER_ALERT_SMS: list.refine(
    (all) => all.length <= 20 && all.every((one) => /^\+[1-9]\d{6,14}$/.test(one)),
    'numbers with their country codes, as +4712345678',
  ),
  INNKEEPER_ALERT_WEBHOOK: web.optional(),
  INNKEEPER_ALERT_WEBHOOK_SECRET: secret.optional(),
  /** Address that is asked while Innkeeper is well: its owner alerts when it is not asked. */
  INNKEEPER_HEARTBEAT: web.optional(),
  INNKEEPER_HEARTBEAT_SECONDS: z.coerce.number().int().min(10).max(3600).default(60),
  /** Where the action log is streamed to: syslog+tls://host:6514, or an address for signed posts. */
  INNKEEPER_LOG_STREAM: urlOf(
    /^(syslog\+tls|https?)$/,
    'syslog+tls://logs.example.com:6514 or https://host.example.com/path',
  ).optional(),
  INNKEEPER_LOG_STREAM_SECRET: secret.optional(),
  /** PEM files: the authority of the receiver, and the certificate that Innkeeper shows it. */
  INNKEEPER_LOG_STREAM_CA: path,
  INNKEEPER_LOG_STREAM_CERTIFICATE: path,
  INNKEEPER_LOG_STREAM_KEY: path,
  /** Traces: the names and meaning of OpenTelemetry. */
  OTEL_EXPORTER_OTLP_ENDPOINT: web.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .max(4000)
    .regex(/^[^%]*(%[0-9a-f]{2}[^%]*)*$/i, 'a % is written as %25')
    .refine((text) => /^[ -~]+$/.test(text) && text.indexOf('=') > 0, 'as key=value,key=value')
    .optional(),
  OTEL_SERVICE_NAME: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'letters, digits, dots and hyphens')
    .default('innkeeper'),
}
type Given = z.output<z.ZodObject<typeof watchEnvironment>>

export interface WatchSettings {
  alerts: {
    mail?: { to: readonly string[]; from: string; smtp: string }
    sms?: { to: readonly string[] }
    webhook?: { url: string; secret: string }
  }
  heartbeat?: { url: string; everyS: number }
  logStream?: { url: string; secret?: string; tls: { ca?: string; cert?: string; key?: string } }
  traces?: { endpoint: string; headers: Record<string, string>; service: string }
}

/** Throws an Error that names a setting which lacks another one. */
export function watchOf(s: Given, publicHost: string | undefined): WatchSettings {
  const endpoint = s.OTEL_EXPORTER_OTLP_ENDPOINT
  return {
    alerts: alertsOf(s, publicHost),
    ...(s.INNKEEPER_HEARTBEAT && {
      heartbeat: { url: s.INNKEEPER_HEARTBEAT, everyS: s.INNKEEPER_HEARTBEAT_SECONDS },
    }),
    ...logStreamOf(s),
    ...(endpoint && {
      traces: { endpoint, headers: headersIn(s.OTEL_EXPORTER_OTLP_HEADERS), service: s.OTEL_SERVICE_NAME },
    }),
  }
}

function alertsOf(s: Given, publicHost: string | undefined): WatchSettings['alerts'] {
  const { INNKEEPER_ALERT_MAIL: to, INNKEEPER_ALERT_SMS: numbers, INNKEEPER_SMTP: smtp } = s
  const { INNKEEPER_ALERT_WEBHOOK: url, INNKEEPER_ALERT_WEBHOOK_SECRET: secret } = s
  const from = s.INNKEEPER_ALERT_FROM ?? (publicHost?.includes('.') ? `innkeeper@${publicHost}` : undefined)
  if (to.length && !smtp) throw new Error('INNKEEPER_ALERT_MAIL needs INNKEEPER_SMTP, the relay for mail')
  if (to.length && !from) throw new Error('INNKEEPER_ALERT_MAIL needs INNKEEPER_ALERT_FROM, the address of the sender')
  if (url && !secret) throw new Error('INNKEEPER_ALERT_WEBHOOK needs INNKEEPER_ALERT_WEBHOOK_SECRET, which signs')
  return {
    ...(to.length && smtp && from && { mail: { to, from, smtp } }),
    ...(numbers.length && { sms: { to: numbers } }),
    ...(url && secret && { webhook: { url, secret } }),
  }
}

function logStreamOf(s: Given): Pick<WatchSettings, 'logStream'> {
  const { INNKEEPER_LOG_STREAM: url, INNKEEPER_LOG_STREAM_SECRET: secret } = s
  const { INNKEEPER_LOG_STREAM_CERTIFICATE: cert, INNKEEPER_LOG_STREAM_KEY: key, INNKEEPER_LOG_STREAM_CA: ca } = s
  if (!url) return {}
  if (url.startsWith('http') && !secret)
    throw new Error('INNKEEPER_LOG_STREAM needs INNKEEPER_LOG_STREAM_SECRET for an http address: posts are signed')
  if (!cert !== !key)
    throw new Error('INNKEEPER_LOG_STREAM_CERTIFICATE and INNKEEPER_LOG_STREAM_KEY are required together')
  const tls = {
    ...(ca && { ca: fileIn('INNKEEPER_LOG_STREAM_CA', ca) }),
    ...(cert && { cert: fileIn('INNKEEPER_LOG_STREAM_CERTIFICATE', cert) }),
    ...(key && { key: fileIn('INNKEEPER_LOG_STREAM_KEY', key) }),
  }
  return { logStream: { url, ...(secret && { secret }), tls } }
}

function fileIn(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`${setting}: ${error instanceof Error ? error.message : error}`)
  }
}

const headersIn = (text = ''): Record<string, string> =>
  Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const at = pair.indexOf('=')
      return at > 0 ? [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]] : []
    }),
  )
