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
