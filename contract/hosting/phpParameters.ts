import * as z from 'zod'
import { extensionList } from './phpExtensions.ts'
import { type PhpName, phpRules } from './phpRules.ts'

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
