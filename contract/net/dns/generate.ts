/** Maximum number of lines of one order; more are a mistake. */
const MOST = 65_536

/**
 * Expands BIND's `$GENERATE start-stop[/step] name [ttl] [class] type data`: `$` is replaced by the number,
 * `${offset,width,base}` by a number computed from it, `\$` by a dollar. Answers lines of a zone file, or an error.
 */
export function generated(words: readonly string[]): string[] | string {
  const [, range = '', ...rest] = words
  const found = /^(\d{1,9})-(\d{1,9})(?:\/(\d{1,9}))?$/.exec(range)
  const [start, stop, step] = [Number(found?.[1]), Number(found?.[2]), Number(found?.[3] ?? 1)]
  if (!found || stop < start || step < 1) return '$GENERATE needs a range such as 1-20 or 1-20/2'
  if (rest.length < 3) return '$GENERATE needs a name, a type and data'
  if ((stop - start) / step >= MOST) return `$GENERATE makes more than ${MOST} records`
  const lines: string[] = []
  for (let n = start; n <= stop; n += step) {
    const line = rest.map((word) => expanded(word, n))
    if (line.includes(undefined)) return '$GENERATE: an offset, width or base is not understood'
    lines.push(line.join(' '))
  }
  return lines
}

const pattern = /\\\$|\$\$|\$\{([^}]*)\}|\$/g
function expanded(word: string, n: number): string | undefined {
  let failed = false
  const text = word.replace(pattern, (whole, modifier?: string) => {
    if (whole === '\\$' || whole === '$$') return '$'
    const made = modifier === undefined ? String(n) : modified(modifier, n)
    failed ||= made === undefined
    return made ?? ''
  })
  return failed ? undefined : text
}

/** `offset[,width[,base]]`; the bases `n` and `N` write the digits of reverse zones, one label each. */
function modified(modifier: string, n: number): string | undefined {
  const found = /^(-?\d{1,9})(?:,(\d{1,3})(?:,([doxXnN]))?)?$/.exec(modifier)
  if (!found) return undefined
  const value = n + Number(found[1])
  const width = Number(found[2] ?? 0)
  const base = found[3] ?? 'd'
  if (value < 0) return undefined
  if (base === 'n' || base === 'N') {
    const digits = [...value.toString(16).padStart(Math.ceil(width / 2), '0')].reverse().join('.')
    return base === 'N' ? digits.toUpperCase() : digits
  }
  const text = value.toString({ d: 10, o: 8, x: 16, X: 16 }[base]).padStart(width, '0')
  return base === 'X' ? text.toUpperCase() : text
}
