import { open } from 'node:fs/promises'
import { absent } from '../../kit/host.ts'

/** The end of a log, without the torn first line; empty if there is no log. */
export async function tailOf(file: string, bytes: number): Promise<string> {
  const handle = await open(file).catch(absent)
  if (!handle) return ''
  try {
    const { size } = await handle.stat()
    const length = Math.min(size, bytes)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length)
    const text = buffer.subarray(0, bytesRead).toString('utf8')
    return length < size ? text.slice(text.indexOf('\n') + 1) : text
  } finally {
    await handle.close()
  }
}
