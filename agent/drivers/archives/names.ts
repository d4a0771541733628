const MOST_NAME = 4000
const MOST_DEPTH = 60
const MOST_PART = 255
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The name of a member without `./` in front and `/` at its end; or why the name is refused. */
export function safeName(raw: Buffer): { path: string | undefined; refusal: string | undefined } {
  const no = (refusal: string) => ({ path: undefined, refusal })
  if (raw.length > MOST_NAME) return no('name too long')
  let text: string
  try {
    text = utf8.decode(raw)
  } catch {
    return no('name is not UTF-8')
  }
  if (text.startsWith('/')) return no('absolute name')
  const parts = text.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) return no('name with ..')
  if (/\p{Cc}/u.test(text)) return no('name with control characters')
  if (parts.length > MOST_DEPTH) return no('name too deep')
  if (parts.some((part) => Buffer.byteLength(part) > MOST_PART)) return no('name too long')
  return { path: parts.join('/'), refusal: undefined }
}

/**
 * Where a symlink leads, from the folder of the website: `uploads/a.jpg`. Undefined if the link leaves the folder.
 * `roots`: folders of the former server that become folders of the website.
 */
export function linkTarget(
  at: string,
  target: string,
  roots: readonly { from: string; to: string }[],
): string | undefined {
  if (target === '' || /\p{Cc}|\ufffd/u.test(target) || target.length > MOST_NAME) return undefined
  if (target.startsWith('/')) {
    const root = roots.find(({ from }) => target === from || target.startsWith(`${from}/`))
    return root && joined([root.to, target.slice(root.from.length)])
  }
  return joined([...at.split('/').slice(0, -1), target])
}

/** The parts as one path without `..`; undefined if the path leaves its beginning. */
function joined(parts: readonly string[]): string | undefined {
  const path: string[] = []
  for (const part of parts.flatMap((one) => one.split('/'))) {
    if (part === '' || part === '.') continue
    if (part !== '..') path.push(part)
    else if (path.pop() === undefined) return undefined
  }
  return path.join('/')
}

/** Counts by reason. */
export function tally(): { add(reason: string): void; counts: Record<string, number> } {
  const counts: Record<string, number> = {}
  return {
    counts,
    add(reason) {
      counts[reason] = (counts[reason] ?? 0) + 1
    },
  }
}
