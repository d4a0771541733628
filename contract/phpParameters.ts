import * as z from 'zod'
import { extensionList } from './phpExtensions.ts'

/**
 * PHP parameters that a website may set: an allow-list, because `php-fpm -t` accepts any injected directive. Sizes are
 * MiB, times are seconds. A value is a number, a switch or one of a list, never free text.
 */
interface Rule {
  hint: string
  /** Default value; null: the plan decides. */
  default: number | boolean | string | null
  /** Applications cannot override the value. */
  fixed?: true
}
export interface NumberRule extends Rule {
  type: 'size' | 'seconds' | 'count'
  min: number
  max: number
}
export interface SwitchRule extends Rule {
  type: 'switch'
}
export interface ZoneRule extends Rule {
  type: 'zone'
}
export type PhpRule = NumberRule | SwitchRule | ZoneRule

/** In the order in which forms show them. */
export const phpRules = {
  memory_limit: {
    ...{ type: 'size', min: 16, max: 4096, default: null, fixed: true },
    hint: 'Per request; default: half of the plan’s memory, at most 512 MB',
  },
  upload_max_filesize: {
    ...{ type: 'size', min: 1, max: 2048, default: 64, fixed: true },
    hint: 'Largest file that a visitor may upload',
  },
  post_max_size: {
    ...{ type: 'size', min: 1, max: 2048, default: 64, fixed: true },
    hint: 'Total size of a form; at least the size of one file',
  },
  max_execution_time: {
    ...{ type: 'seconds', min: 1, max: 120, default: 30 },
    hint: 'CPU time of PHP; the web server waits for at most 120 s',
  },
  max_input_time: { ...{ type: 'seconds', min: 1, max: 120, default: 60 }, hint: 'Time to read the request' },
  max_input_vars: {
    ...{ type: 'count', min: 100, max: 100_000, default: 1000 },
    hint: 'Maximum number of form fields',
  },
  'session.gc_maxlifetime': {
    ...{ type: 'seconds', min: 60, max: 2_592_000, default: 1440 },
    hint: 'Lifetime of an unused session',
  },
  'opcache.enable': {
    ...{ type: 'switch', default: true },
    hint: 'Caches compiled code; without it every page is slower',
  },
  'opcache.revalidate_freq': {
    ...{ type: 'seconds', min: 0, max: 3600, default: 2 },
    hint: 'Interval of checks for changed files',
  },
  display_errors: {
    ...{ type: 'switch', default: false, fixed: true },
    hint: 'Shows errors with file paths to visitors; for development only',
  },
  short_open_tag: { ...{ type: 'switch', default: false }, hint: 'Reads <? as <?php, for old code' },
  'date.timezone': { ...{ type: 'zone', default: 'UTC' }, hint: 'For example Europe/Oslo' },
} as const satisfies Record<string, PhpRule>
export type PhpName = keyof typeof phpRules
export const phpNames = Object.keys(phpRules) as PhpName[] // keys of a constant

/** `256M`, `1G` and 256 are accepted sizes. */
const size = (text: unknown) => {
  const [, n, unit] = typeof text === 'string' ? (text.trim().match(/^(\d{1,6})([MG])?$/i) ?? []) : []
  return n === undefined ? text : Number(n) * (unit?.toUpperCase() === 'G' ? 1024 : 1)
}
const number = (text: unknown) => (typeof text === 'string' && /^\d{1,8}$/.test(text) ? Number(text) : text)
const onOff = (text: unknown) => {
  if (text === 'on' || text === 'On' || text === '1' || text === 1 || text === 'true') return true
  return text === 'off' || text === 'Off' || text === '0' || text === 0 || text === 'false' ? false : text
}

/** A name of the time zone database that this machine knows. */
export const timeZone = z
  .string()
  .regex(/^[A-Za-z]{2,20}(?:[/_+-][A-Za-z0-9]{1,20}){0,5}$/, 'A time zone, such as Europe/Oslo')
  .refine(isZone, 'Unknown time zone')

function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false // the constructor throws only for unknown zones
  }
}

const within = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max)
const fields = {
  memory_limit: within(phpRules.memory_limit),
  upload_max_filesize: within(phpRules.upload_max_filesize),
  post_max_size: within(phpRules.post_max_size),
  max_execution_time: within(phpRules.max_execution_time),
  max_input_time: within(phpRules.max_input_time),
  max_input_vars: within(phpRules.max_input_vars),
  'session.gc_maxlifetime': within(phpRules['session.gc_maxlifetime']),
  'opcache.enable': z.boolean(),
  'opcache.revalidate_freq': within(phpRules['opcache.revalidate_freq']),
  display_errors: z.boolean(),
  short_open_tag: z.boolean(),
  'date.timezone': timeZone,
} satisfies Record<PhpName, z.ZodType>

/** Parameters of a website; missing ones have their defaults. */
export const phpParameters = z
  .strictObject({
    ...fields,
    /** Extensions that the website turns on or off; others keep the default of the server. */
    extensionsOn: extensionList,
    extensionsOff: extensionList,
  })
  .partial()
export type PhpParameters = z.output<typeof phpParameters>

/** Parameters as people type them: `256M`, `on`. null resets to the default; missing ones stay unchanged. */
const read = <T extends z.ZodType>(reader: (text: unknown) => unknown, field: T) =>
  // preprocess loses the input type, which forms and the client need
  z.preprocess(reader, field.nullish()) as unknown as z.ZodOptional<
    z.ZodType<z.output<T> | null, z.input<T> | string | null>
  >
/** A partial change. */
export const phpChange = z.strictObject({
  memory_limit: read(size, fields.memory_limit),
  upload_max_filesize: read(size, fields.upload_max_filesize),
  post_max_size: read(size, fields.post_max_size),
  max_execution_time: read(number, fields.max_execution_time),
  max_input_time: read(number, fields.max_input_time),
  max_input_vars: read(number, fields.max_input_vars),
  'session.gc_maxlifetime': read(number, fields['session.gc_maxlifetime']),
  'opcache.enable': read(onOff, fields['opcache.enable']),
  'opcache.revalidate_freq': read(number, fields['opcache.revalidate_freq']),
  display_errors: read(onOff, fields.display_errors),
  short_open_tag: read(onOff, fields.short_open_tag),
  'date.timezone': timeZone.nullish(),
  extensionsOn: extensionList.nullish(),
  extensionsOff: extensionList.nullish(),
})
export type PhpChange = z.output<typeof phpChange>

/** A value in the syntax of PHP's configuration: `256M`, `on`, `Europe/Oslo`. */
export function phpValue(name: PhpName, value: number | boolean | string): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return phpRules[name].type === 'size' ? `${value}M` : String(value)
}
