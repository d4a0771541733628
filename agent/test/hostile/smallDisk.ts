import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const BLOCK = 4096

/** A disk of its own (ext4 in a file) for a practice host, which can be filled up to some blocks. */
export class SmallDisk {
  readonly folder: string
  readonly #place = mkdtempSync(join(tmpdir(), 'innkeeper-small-'))
  constructor(megabytes: number) {
    const image = join(this.#place, 'image')
    this.folder = join(this.#place, 'disk')
    writeFileSync(image, '')
    truncateSync(image, megabytes * 1_048_576)
    execFileSync('mkfs.ext4', ['-q', '-F', '-m', '0', '-b', String(BLOCK), image])
    mkdirSync(this.folder)
    execFileSync('mount', ['-o', 'loop', image, this.folder])
  }

  get #ballast(): string {
    return join(this.folder, 'ballast')
  }

  /** Leaves room for some blocks only: the write after them fails. */
  leave(blocks: number): void {
    this.empty()
    execFileSync('sync', ['--file-system', this.folder])
    const { bavail } = statfsSync(this.folder)
    execFileSync('fallocate', ['--length', String((bavail - blocks - 1) * BLOCK), this.#ballast])
    const left = statfsSync(this.folder).bavail
    if (left > blocks) execFileSync('fallocate', ['--length', String((left - blocks) * BLOCK), `${this.#ballast}.more`])
  }

  /** Makes room. */
  empty(): void {
    rmSync(this.#ballast, { force: true })
    rmSync(`${this.#ballast}.more`, { force: true })
  }

  close(): void {
    execFileSync('umount', ['--lazy', this.folder])
    rmSync(this.#place, { recursive: true, force: true })
  }
}
