import * as z from 'zod'

/**
 * What a website may have set in its own PHP: an allow-list, since `php-fpm -t` takes any directive that is slipped in.
 * Sizes are MiB, times are seconds. A value is a number, a switch or a word of a closed list, never free text.
 */
interface Rule {
  hint: string
  /** What holds where a website sets nothing; null: its plan says. */
  default: number | boolean | string | null
  /** The application may not set another one. */
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
    hint: 'For one request; half of what its plan has, at most 512 MB, unless set',
  },
  upload_max_filesize: {
    ...{ type: 'size', min: 1, max: 2048, default: 64, fixed: true },
    hint: 'The largest file that a visitor may send',
  },
  post_max_size: {
    ...{ type: 'size', min: 1, max: 2048, default: 64, fixed: true },
    hint: 'All that one form may send: not less than a single file',
  },
  max_execution_time: {
    ...{ type: 'seconds', min: 1, max: 120, default: 30 },
    hint: 'Of PHP’s own work; the web server waits for 120 s at most',
  },
  max_input_time: { ...{ type: 'seconds', min: 1, max: 120, default: 60 }, hint: 'To read what was sent' },
  max_input_vars: { ...{ type: 'count', min: 100, max: 100_000, default: 1000 }, hint: 'Fields of one form' },
  'session.gc_maxlifetime': {
    ...{ type: 'seconds', min: 60, max: 2_592_000, default: 1440 },
    hint: 'After which a session that nobody used may be forgotten',
  },
  'opcache.enable': { ...{ type: 'switch', default: true }, hint: 'Keeps compiled code: off makes everything slower' },
  'opcache.revalidate_freq': {
    ...{ type: 'seconds', min: 0, max: 3600, default: 2 },
    hint: 'Until a changed file is noticed',
  },
  display_errors: {
    ...{ type: 'switch', default: false, fixed: true },
    hint: 'Shows visitors what goes wrong, paths included: for development only',
  },
  short_open_tag: { ...{ type: 'switch', default: false }, hint: '<? is taken for <?php: old code needs it' },
  'date.timezone': { ...{ type: 'zone', default: 'UTC' }, hint: 'Such as Europe/Oslo' },
} as const satisfies Record<string, PhpRule>
export type PhpName = keyof typeof phpRules
export const phpNames = Object.keys(phpRules) as PhpName[] // the keys of a constant

/** `256M`, `1G` and 256 are the same size. */
const size = (text: unknown) => {
  const [, n, unit] = typeof text === 'string' ? (text.trim().match(/^(\d{1,6})([MG])?$/i) ?? []) : []
  return n === undefined ? text : Number(n) * (unit?.toUpperCase() === 'G' ? 1024 : 1)
}
const number = (text: unknown) => (typeof text === 'string' && /^\d{1,8}$/.test(text) ? Number(text) : text)
const onOff = (text: unknown) => {
  if (text === 'on' || text === 'On' || text === '1' || text === 1 || text === 'true') return true
  return text === 'off' || text === 'Off' || text === '0' || text === 0 || text === 'false' ? false : text
}

/** A name of the time zone database, which this machine knows too. */
export const timeZone = z
  .string()
  .regex(/^[A-Za-z]{2,20}(?:[/_+-][A-Za-z0-9]{1,20}){0,5}$/, 'A time zone such as Europe/Oslo')
  .refine(isZone, 'No such time zone')

function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false // the only thing that a bad name does
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

/** What is set; what is not there is as everywhere. */
export const phpParameters = z.strictObject(fields).partial()
export type PhpParameters = z.output<typeof phpParameters>

/** As people write it too: `256M`, `on`. null goes back to what holds everywhere, what is not named stays. */
const read = <T extends z.ZodType>(reader: (text: unknown) => unknown, field: T) =>
  // preprocess forgets what may be sent; forms and the client want to know
  z.preprocess(reader, field.nullish()) as unknown as z.ZodOptional<
    z.ZodType<z.output<T> | null, z.input<T> | string | null>
  >
/** A change of some of them. */
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
})
export type PhpChange = z.output<typeof phpChange>

/** As PHP's own configuration writes it: `256M`, `on`, `Europe/Oslo`. */
export function phpValue(name: PhpName, value: number | boolean | string): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return phpRules[name].type === 'size' ? `${value}M` : String(value)
}
