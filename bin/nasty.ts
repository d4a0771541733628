import { isWhole, sliced } from './slice.ts'

/**
 * Text of others that has stopped parsers: a megabyte of one sequence. `foreign.test.ts` of each program lists its parsers
 * of foreign text, and gives each of them every sequence.
 */
const characters = [...` \t\n\r\0\\"'\`<>()[]{}&;:,.-_=@/#%$*+!?|~^0a`, 'é', '中', '\u2028', '\ud800']
const sequences = [
  ...[
    '_a',
    'a-',
    'a.',
    '-a',
    'a b ',
    '0.',
    '1:',
    ': ',
    ', ',
    '; ',
    '=" ',
    "='",
    '="="',
    'a=b&',
    'a,b\n',
    'a\n\n',
    '\r\n',
    ' \n',
    '"a"',
    "''",
    '""',
  ],
  ...[
    '<a',
    '<a ',
    '<a>',
    '</a>',
    '<!--',
    '<script>',
    '<a b="',
    '<row>',
    '<field name="a">b',
    '&amp',
    '&#1',
    '](',
    '[a](',
    '((',
    'http://(',
    'https://a)',
  ],
  ...[
    '/*',
    '*/',
    '-- ',
    '--a\n',
    '$$',
    '$a$',
    '\\\\',
    "\\'",
    '\\"',
    "E'\\",
    '{{',
    '{{a',
    '**',
    '**a',
    '`a',
    '> ',
    '# ',
    '- ',
    '```\n',
  ],
  ...[
    'a:1:{',
    's:1:"',
    '{"a":',
    '[1,',
    'COPY a FROM stdin;\n',
    'insert into a values (',
    'DELIMITER ;;\n',
    'CREATE ',
    'DEFINER=',
    'COLLATE ',
    'INTO a.',
  ],
  ...[
    'server_name ',
    'namevhost / (/',
    'password',
    'password=',
    'status=s (',
    'to=<',
    '# User@Host: a\n',
    'ERROR 0 (',
    '-----BEGIN A-----\n',
    '$ORIGIN a\n',
    '"a" ( ',
  ],
]
export const nasty: readonly string[] = [...characters, ...sequences]

/** A megabyte in the long run. Smaller texts come first, so that a parser of quadratic cost fails within seconds. */
const BIG = isWhole ? 1_000_000 : 250_000
const sizes = [BIG / 16, BIG / 4, BIG]
/** A quadratic parser takes 16 times as long for four times the text. */
const MOST_TIMES = 9
/** Milliseconds below which a time says nothing, and above which a megabyte is too slow even if its cost is linear. */
const [NOISE, MOST_MS] = [60, 4000]

type Parser = (text: string) => unknown

/** Milliseconds. A parser may refuse the text, but not with an error of JavaScript itself, such as a full stack. */
function timeOf(parse: Parser, text: string): number {
  // time of this process: on a busy machine the clock also counts what others compute
  const begun = process.cpuUsage()
  try {
    const found = parse(text)
    if (found && typeof found === 'object' && Symbol.iterator in found) for (const _ of found as Iterable<unknown>);
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError || error instanceof ReferenceError) throw error
  }
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000
}
const best = (parse: Parser, text: string) => Math.min(timeOf(parse, text), timeOf(parse, text), timeOf(parse, text))

/** Why the cost of a parser is not linear; nothing if the parser is as quick as it should be. A run takes a slice of the sequences. */
export function slowness(parse: Parser): string[] {
  return sliced(nasty).flatMap((sequence) => {
    const of = (size: number) => sequence.repeat(Math.ceil(size / sequence.length))
    const shown = JSON.stringify(sequence)
    let before = 0
    try {
      for (const size of sizes) {
        let time = timeOf(parse, of(size))
        const isSlow = () =>
          time > NOISE && (time > MOST_MS || (before > 0 && time > MOST_TIMES * Math.max(before, NOISE / 4)))
        // a busy machine is late once, not three times
        if (isSlow()) {
          before = Math.max(before, size > sizes[0]! ? best(parse, of(size / 4)) : 0)
          time = best(parse, of(size))
        }
        // the memory of a larger text costs time once; a quadratic cost grows again
        const isSlower = () => time > MOST_MS || timeOf(parse, of(size * 4)) > MOST_TIMES * time
        if (isSlow() && isSlower())
          return `${shown}: ${Math.round(time)} ms for ${size} characters, ${Math.round(before)} ms for a quarter`
        before = time
      }
    } catch (error) {
      return `${shown}: ${error instanceof Error ? error.message.slice(0, 100) : 'unknown'}`
    }
    return []
  })
}
