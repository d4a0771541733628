export interface Replaced {
  text: string
  /** Number of changed places. */
  count: number
  /** Whether some places were left unchanged because PHP could not read them after the change. */
  left: boolean
}

/** Replaces within a text whose characters are its bytes, because PHP counts bytes. */
export type Replacer = (bytes: string) => Replaced

type Read = Replaced & { end: number }

const MOST_DEPTH = 200
const scalar = /N;|[bidrR]:[^;:{}"]{1,60};/y
const head = /([sOCE]):(\d{1,10}):"/y
const list = /a:(\d{1,10}):\{/y
const counts = /:(\d{1,10}):\{/y

function match(what: RegExp, bytes: string, at: number): RegExpExecArray | undefined {
  what.lastIndex = at
  return what.exec(bytes) ?? undefined
}

/**
 * Reads a value that PHP has serialized and rewrites its texts, with their lengths in bytes. Leaves keys of arrays and
 * names of classes and properties. Undefined if the bytes at this place are no such value.
 */
export function serializedAt(bytes: string, at: number, nested: Replacer, depth = 0): Read | undefined {
  if (depth > MOST_DEPTH) return undefined
  const kept = match(scalar, bytes, at)
  if (kept) return { text: kept[0], count: 0, left: false, end: at + kept[0].length }
  const array = match(list, bytes, at)
  if (array) return pairs(bytes, at, at + array[0].length, Number(array[1]), nested, depth)
  const found = match(head, bytes, at)
  if (!found) return undefined
  const begin = at + found[0].length
  const end = begin + Number(found[2])
  if (bytes[end] !== '"') return undefined
  const body = bytes.slice(begin, end)
  if (found[1] === 's' || found[1] === 'E') {
    if (bytes[end + 1] !== ';') return undefined
    const made = found[1] === 's' ? nested(body) : { text: body, count: 0, left: nested(body).count > 0 }
    return { ...made, text: `${found[1]}:${made.text.length}:"${made.text}";`, end: end + 2 }
  }
  const size = match(counts, bytes, end + 1)
  if (!size) return undefined
  const inner = end + 1 + size[0].length
  if (found[1] === 'O') return pairs(bytes, at, inner, Number(size[1]), nested, depth)
  // data that a class has written itself, in the notation of PHP or its own
  const after = inner + Number(size[1])
  if (bytes[after] !== '}') return undefined
  const made = nested(bytes.slice(inner, after))
  const text = `${bytes.slice(at, end + 1)}:${made.text.length}:{${made.text}}`
  return { text, count: made.count, left: made.left, end: after + 1 }
}

/** The keys and values between the braces of an array or object, after its head. */
function pairs(
  bytes: string,
  at: number,
  begin: number,
  size: number,
  nested: Replacer,
  depth: number,
): Read | undefined {
  const parts = [bytes.slice(at, begin)]
  let [count, left, end] = [0, false, begin]
  for (let i = 0; i < size; i++) {
    const key = serializedAt(bytes, end, (one) => ({ text: one, count: 0, left: nested(one).count > 0 }), depth + 1)
    const value = key && serializedAt(bytes, key.end, nested, depth + 1)
    if (!key || !value) return undefined
    parts.push(bytes.slice(end, key.end), value.text)
    count += value.count
    left ||= key.left || value.left
    end = value.end
  }
  if (bytes[end] !== '}') return undefined
  return { text: `${parts.join('')}}`, count, left, end: end + 1 }
}
