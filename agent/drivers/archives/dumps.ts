import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { putInPlace, spooled } from '../../kit/host.ts'

export interface WrittenDump {
  database: string
  file: string
  bytes: number
  sha256: string
}
interface Open {
  database: string
  file: string
  path: string
  handle: FileHandle
  hash: Hash
  bytes: number
}

/** Dumps of an archive on their way into the spool folder. Several members may be one dump, in their order. */
export class Dumps {
  readonly #open = new Map<string, Open>()

  async write({ database, file }: { database: string; file: string }, body: AsyncIterable<Buffer>): Promise<void> {
    const one = this.#open.get(file) ?? (await this.#begin(database, file))
    for await (const part of body) {
      one.hash.update(part)
      one.bytes += part.length
      await one.handle.write(part)
    }
  }

  async #begin(database: string, file: string): Promise<Open> {
    const path = await spooled(file)
    await rm(`${path}.part`, { force: true })
    const handle = await open(`${path}.part`, 'wx', 0o600)
    const one = { database, file, path, handle, hash: createHash('sha256'), bytes: 0 }
    this.#open.set(file, one)
    return one
  }

  /** Puts the whole dumps in their places. */
  async end(): Promise<WrittenDump[]> {
    const written: WrittenDump[] = []
    for (const { database, file, path, handle, hash, bytes } of this.#open.values()) {
      await handle.sync()
      await handle.close()
      await putInPlace(`${path}.part`, path)
      written.push({ database, file, bytes, sha256: hash.digest('hex') })
    }
    this.#open.clear()
    return written
  }

  /** Closes what an error has left open. */
  async drop(): Promise<void> {
    for (const { handle } of this.#open.values()) await handle.close().catch(() => {}) // the files are written anew
    this.#open.clear()
  }
}
