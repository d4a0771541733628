const vocabulary = [
  ...[
    'the',
    'a',
    'of',
    'is',
    'when',
    'page',
    'server',
    'website',
    'error',
    'mail',
    'login',
    'after',
    'update',
    'slow',
    'certificate',
  ],
  ...[
    'backup',
    'database',
    'restore',
    'php',
    'redis',
    'nginx',
    'timeout',
    'quota',
    'disk',
    'owner',
    'invoice',
    'plugin',
    'cache',
    'queue',
  ],
  ...[
    'browser',
    'phone',
    'dark',
    'table',
    'filter',
    'export',
    'import',
    'shift',
    'leave',
    'calendar',
    'token',
    'rename',
    'alias',
    'zone',
  ],
]
/** Text with realistic word frequencies: a few words are in nearly every text, most words in few, and each text has one unique word. */
export const prose = (seed: string, words: number) =>
  `(select string_agg((array['${vocabulary.join("', '")}'])[1 + floor(${vocabulary.length} * power(${hash(`${seed} * 64 + w`)} / 2147483648.0, 2))::int], ' ')
    from generate_series(1, ${words}) w) || ' case' || ${seed} || ' rare' || ${hash(seed)} % 20000`

/** A number that looks random and is the same in every fill. */
export const hash = (of: string) => `(hashint4(${of}) & 2147483647)`
