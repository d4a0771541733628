import { safeName } from './names.ts'
import { Input, type Member, type Skip, TRUNCATED } from './tar.ts'

/** The header of a member: name, size, time and folder, each filled up with zeros. */
const [NAME, SIZE, MTIME, FOLDER] = [255, 14, 12, 4096] as const
export const HEADER = NAME + SIZE + MTIME + FOLDER
const MOST_MEMBERS = 10_000_000
const DAMAGED = 'it is damaged: the header of a member cannot be read'

/** The text of a field; undefined if something follows its zeros. */
function textIn(head: Buffer, at: number, length: number): Buffer | undefined {
  const field = head.subarray(at, at + length)
  const end = field.indexOf(0)
  if (end < 0) return field
  return field.subarray(end).every((byte) => byte === 0) ? field.subarray(0, end) : undefined
}

function headerIn(head: Buffer): { raw: Buffer; size: number; mtime: number } | undefined {
  const [name, size, mtime] = [textIn(head, 0, NAME), textIn(head, NAME, SIZE), textIn(head, NAME + SIZE, MTIME)]
  if (!name?.length || !size || !mtime) return undefined
  if (!/^\d{1,14}$/.test(size.toString('latin1')) || !/^\d{1,12}$/.test(mtime.toString('latin1'))) return undefined
  // behind the folder, newer versions of the plugin keep a checksum
  const folder = head.subarray(NAME + SIZE + MTIME)
  const end = folder.indexOf(0)
  const below = end < 0 ? folder : folder.subarray(0, end)
  const raw = below.length && !below.equals(Buffer.from('.')) ? Buffer.concat([below, Buffer.from('/'), name]) : name
  return { raw, size: Number(size.toString('latin1')), mtime: Number(mtime.toString('latin1')) }
}

/** Whether a file begins as All-in-One WP Migration packs a WordPress. */
export const isWpress = (head: Buffer) =>
  head.length >= HEADER && headerIn(head)?.raw.toString('latin1') === 'package.json'

/** The members of such an archive. They follow each other, without compression; an empty header is the end. */
export async function* wpressMembers(chunks: AsyncIterable<Buffer>, skip?: Skip): AsyncGenerator<Member> {
  const input = new Input(chunks, skip)
  let count = 0
  try {
    for (;;) {
      const head = await input.exactly(HEADER)
      // the last header shows that the archive is whole
      if (!head) throw new Error(TRUNCATED)
      if (head[0] === 0) return
      if (++count > MOST_MEMBERS) throw new Error(`it has more than ${MOST_MEMBERS} members`)
      const found = headerIn(head)
      if (!found) throw new Error(DAMAGED)
      const { raw, size, mtime } = found
      input.begin(size)
      yield {
        ...safeName(raw),
        ...{ type: 'file', target: '', size, mode: 0o644, mtime: Math.min(mtime, 4_102_444_800) },
        body: () => input.body(),
      }
      await input.skipBody()
    }
  } finally {
    await input.close()
  }
}
