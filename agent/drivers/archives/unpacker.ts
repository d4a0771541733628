import { hash } from 'node:crypto'
import { once } from 'node:events'
import { dirname, relative } from 'node:path'
import { PassThrough } from 'node:stream'
import { flow, must } from '../../kit/host.ts'
import type { Account } from '../accounts/systemAccounts.ts'
import { FileSums } from './fileSums.ts'
import { linkTarget, tally } from './names.ts'
import type { Member } from './tar.ts'
import { END, headerOf, type Out, paddingOf } from './tarOut.ts'
import { textOf } from './unpacked.ts'

export interface Written {
  files: number
  bytes: number
  links: number
  refused: Record<string, number>
  /** Of names and contents: `FileSums`. */
  sum: string
}

/** A folder into which members are unpacked. */
export interface Target {
  folder: string
  as: Account
  /** A folder above it that has all folders of the account, so that one program serves them all. */
  base?: string
  roots: readonly { from: string; to: string }[]
  /** Changes a small file on the way. */
  edit?: (path: string, text: string) => string
}

const MOST_EDITED = 262_144
const TOGETHER = 256 * 1024
/** Parts from this size on go as they are: a copy of each would cost as much as all the rest. */
const LARGE = 64 * 1024
/** Blocks that tar reads and writes at once, instead of 20. */
const BLOCKS = 1024

/**
 * Writes members below a folder. tar of Debian runs as the owner of the folder and gets an archive of our own with
 * checked names, so that neither a name nor a link of the foreign archive reaches anything else.
 */
export class Unpacker {
  readonly program: Program
  readonly #target: Target
  /** In front of each name: from the folder in which the program works. */
  readonly #under: string
  readonly #seen = new Set<number>()
  readonly #links = new Set<string>()
  readonly #refused = tally()
  readonly #sums = new FileSums()
  readonly #written = { files: 0, bytes: 0, links: 0 }

  constructor(target: Target, programs = new Programs()) {
    this.#target = target
    this.program = programs.of(target)
    const within = relative(this.program.folder, target.folder)
    this.#under = within && `${within}/`
  }

  get written(): Written {
    return { ...this.#written, refused: this.#refused.counts, sum: this.#sums.text }
  }

  refuse(reason: string): void {
    this.#refused.add(reason)
  }

  /** `hardlink`: the place in this folder of the file that a hard link names; undefined if it lies elsewhere. */
  async write(member: Member, path: string, hardlink?: string): Promise<void> {
    if (path === '') return
    const { type, size, mtime } = member
    if (type === 'device' || type === 'other')
      return this.refuse(type === 'device' ? 'device or pipe' : 'sparse file or unknown kind of member')
    for (let at = dirname(path); at !== '.'; at = dirname(at))
      if (this.#links.has(at)) return this.refuse('member below a link')
    const key = keyOf(path)
    if (type !== 'folder') {
      if (this.#seen.has(key)) return this.refuse('name occurs twice')
      this.#seen.add(key)
    }
    if (member.mode & 0o6000 && type === 'file') this.refuse('setuid or setgid bit is dropped')
    const out: Out = { path, type, size: 0, mode: (member.mode & 0o777) | (type === 'folder' ? 0o700 : 0o600), mtime }
    if (type === 'symlink') {
      const to = linkTarget(path, member.target, this.#target.roots)
      if (to === undefined) return this.refuse('link that leaves the website')
      this.#links.add(path)
      this.#written.links++
      return this.#put({ ...out, target: relative(dirname(path), to || '.') || '.' })
    }
    if (type === 'hardlink') {
      if (hardlink === undefined || !this.#seen.has(keyOf(hardlink)))
        return this.refuse('hard link to a file that is not carried')
      this.#written.files++
      this.#sums.name(path)
      return this.#put({ ...out, target: hardlink })
    }
    if (type === 'folder') return this.#put(out)
    this.#written.files++
    this.#sums.name(path)
    const text = this.#target.edit && size <= MOST_EDITED ? await this.#edited(path, member) : undefined
    if (text) {
      this.#written.bytes += text.length
      this.#sums.content(hash('sha256', text))
      return this.#put({ ...out, size: text.length }, [text])
    }
    this.#written.bytes += size
    await this.#put({ ...out, size }, this.#sums.through(member.body()))
  }

  /** Undefined: not a file that is changed. */
  async #edited(path: string, member: Member): Promise<Buffer | undefined> {
    const { edit } = this.#target
    if (!edit || !path.endsWith('.htaccess')) return undefined
    return Buffer.from(edit(path, (await textOf(member.body(), MOST_EDITED)) ?? ''))
  }

  async #put(out: Out, body: AsyncIterable<Buffer> | Iterable<Buffer> = []): Promise<void> {
    const { path, target } = out
    const at = { ...out, path: `${this.#under}${path}` }
    if (out.type === 'hardlink') at.target = `${this.#under}${target}`
    await this.program.send(headerOf(at))
    for await (const part of body) await this.program.send(part)
    if (out.size) await this.program.send(paddingOf(out.size))
  }

  /** Ends the program, so that all is written. */
  close(): Promise<void> {
    return this.program.close()
  }
}

/** Folders that one call of a program takes. */
const AT_ONCE = 500

/** Makes or empties the folders of an account with few calls, whose starts would take longer than their work. */
export async function forFolders(
  argv: (folders: readonly string[]) => [string, ...string[]],
  folders: readonly string[],
  as: Account,
): Promise<void> {
  for (let at = 0; at < folders.length; at += AT_ONCE) await must(argv(folders.slice(at, at + AT_ONCE)), { as })
}

/** The programs of an unpacking: one for each account, because a start costs as much as a hundred small files. */
export class Programs {
  readonly #all = new Map<string, Program>()

  of({ folder, base, as }: Target): Program {
    const from = base !== undefined && folder.startsWith(`${base}/`) ? base : folder
    const key = `${as.uid}:${as.gid} ${from}`
    const found = this.#all.get(key) ?? new Program(from, as)
    this.#all.set(key, found)
    return found
  }
}

/** tar of Debian, which runs as an account in one of its folders. It starts with the first part. */
class Program {
  readonly folder: string
  readonly #as: Account
  #waiting: Buffer[] = []
  #waits = 0
  #isHanding = false
  #run: { into: PassThrough; ended: Promise<void> } | undefined

  constructor(folder: string, as: Account) {
    this.folder = folder
    this.#as = as
  }

  /** Small parts go together. */
  async send(part: Buffer): Promise<void> {
    if (part.length >= LARGE) {
      await this.#flush()
      return this.#hand(part)
    }
    this.#waiting.push(part)
    this.#waits += part.length
    if (this.#waits >= TOGETHER) await this.#flush()
  }

  async #flush(): Promise<void> {
    const part = Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#waits = 0
    if (part.length) await this.#hand(part)
  }

  async #hand(part: Buffer): Promise<void> {
    const { into, ended } = this.#begun()
    // a program that has ended reads nothing more: its reason comes first
    this.#isHanding = true
    if (!into.write(part)) await Promise.race([once(into, 'drain'), ended])
    this.#isHanding = false
    if (into.destroyed) await ended
  }

  #begun() {
    if (this.#run) return this.#run
    // counts parts: of bytes it would make one copy of all that wait
    const into = new PassThrough({ objectMode: true, highWaterMark: 16 })
    into.on('error', () => {}) // `ended` has the reason
    const { uid, gid } = this.#as
    const ended = flow(
      [
        'tar',
        '--extract',
        '--file=-',
        `--blocking-factor=${BLOCKS}`,
        `--directory=${this.folder}`,
        '--no-same-owner',
        '--preserve-permissions',
        '--delay-directory-restore',
        '--warning=no-timestamp',
      ],
      // while a dump of many GB is read, it has nothing to do
      { as: { uid, gid }, from: [into], works: async () => !this.#isHanding },
    ).finally(() => into.destroy())
    ended.catch(() => {}) // awaited by `send` and `close`
    this.#run = { into, ended }
    return this.#run
  }

  /** Ends the program. Members may follow later. */
  async close(): Promise<void> {
    await this.#flush()
    if (!this.#run) return
    const { into, ended } = this.#run
    this.#run = undefined
    this.#isHanding = true
    into.end(END)
    await ended.finally(() => {
      this.#isHanding = false
    })
  }
}

/** Programs that may still end their work while the next account is read. */
const MOST_ENDING = 3

/**
 * One account after the other gets members, as they lie in the archive. While one is read, the programs of the accounts before may
 * still end their work; an account that comes again waits for its own.
 */
export class Turns {
  #last: Program | undefined
  readonly #ending = new Map<Program, Promise<void>>()
  #failed: Error | undefined

  async to({ program }: Unpacker): Promise<void> {
    if (program === this.#last) return
    const last = this.#last
    this.#last = program
    if (last) this.#end(last)
    while (this.#ending.has(program) || this.#ending.size > MOST_ENDING)
      await (this.#ending.get(program) ?? Promise.race(this.#ending.values()))
    this.#whole()
  }

  async end(): Promise<void> {
    if (this.#last) this.#end(this.#last)
    this.#last = undefined
    await Promise.all(this.#ending.values())
    this.#whole()
  }

  /** Ends the programs after an error of somebody else. */
  async drop(): Promise<void> {
    if (this.#last) this.#end(this.#last)
    this.#last = undefined
    await Promise.all(this.#ending.values())
  }

  #end(program: Program): void {
    const ended = program
      .close()
      .catch((error: Error) => {
        this.#failed ??= error
      })
      .finally(() => this.#ending.delete(program))
    this.#ending.set(program, ended)
  }

  #whole(): void {
    if (this.#failed) throw this.#failed
  }
}

/** A number for a name: a set of names would need memory for each. */
function keyOf(path: string): number {
  let [a, b] = [0x811c9dc5, 0x1b873593]
  for (let i = 0; i < path.length; i++) {
    const code = path.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 13)
  }
  return (a >>> 0) * 0x200000 + ((b >>> 0) & 0x1fffff)
}
