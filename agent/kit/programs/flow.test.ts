import { Readable, Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { flow } from './flow.ts'

/** A writable that collects its input. */
function bowl() {
  const parts: Buffer[] = []
  const to = new Writable({
    write(part: Buffer, _encoding, done) {
      parts.push(part)
      done()
    },
  })
  return { to, text: () => Buffer.concat(parts).toString() }
}
const much = Buffer.alloc(1_000_000, 'x')

describe('a program with streams at its ends', () => {
  it('passes all input and output, repeatedly', async () => {
    const rounds = Array.from({ length: 30 }, async () => {
      const { to, text } = bowl()
      await flow(['cat'], { from: [Readable.from([much, Buffer.from('end')])], to: [to] })
      return text().length
    })
    expect(new Set(await Promise.all(rounds))).toEqual(new Set([much.length + 3]))
  })

  it('fails when its source fails, even if the program reports nothing', async () => {
    async function* torn() {
      yield much
      throw new Error('the disk is gone')
    }
    await expect(flow(['cat'], { from: [Readable.from(torn())], to: [bowl().to] })).rejects.toThrow('the disk is gone')
  })

  it('fails when the program succeeds without reading all input', async () => {
    const never = new Readable({ read() {} })
    never.push(much)
    await expect(flow(['head', '--bytes=1'], { from: [never], to: [bowl().to] })).rejects.toThrow()
  })

  it('succeeds when the program has everything before the end of its source is seen', async () => {
    const slow = new Readable({ read() {} })
    const { to, text } = bowl()
    slow.push('all')
    to.once('finish', () => slow.push(null)) // only after the program has gone
    await flow(['head', '--bytes=3'], { from: [slow], to: [to] })
    expect(text()).toBe('all')
  })

  it('fails when more input follows after the program has gone', async () => {
    const more = new Readable({ read() {} })
    more.push('all')
    const { to } = bowl()
    to.once('finish', () => more.push('and more'))
    await expect(flow(['head', '--bytes=3'], { from: [more], to: [to] })).rejects.toThrow('whole input')
  })

  it('fails with the program’s own message', async () => {
    await expect(flow(['ls', '/nowhere'])).rejects.toThrow(/ls ended with 2: .*nowhere/)
    const long = ['sh', '-c', 'head --bytes=40M /dev/zero | tr "\\0" x >&2; echo no room >&2; exit 3'] as const
    await expect(flow(long)).rejects.toThrow(/no room/)
  })

  it('is killed after its timeout', async () => {
    await expect(flow(['sleep', '60'], { withinMs: 200 })).rejects.toThrow('took longer than 0.2 s')
  })
})
