import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  globSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/** EXT4_IOC_SHUTDOWN without a flush of the journal: what is in memory only is lost, and each access fails. */
const shutdown = 'open my $f, "<", shift or die $!; my $x = pack("L", 2); ioctl($f, 0x8004587D, $x) or die $!'

/** A page of PostgreSQL; disks promise less at once. */
const PAGE = 8192

/** A disk of its own (ext4 in a file) whose power can be cut: it keeps what was synced, and what the kernel wrote since. */
export class Disk {
  readonly folder: string
  readonly #image: string
  constructor(place: string) {
    rmSync(place, { recursive: true, force: true })
    mkdirSync(place, { recursive: true })
    this.folder = join(place, 'disk')
    this.#image = join(place, 'image')
    writeFileSync(this.#image, '')
    truncateSync(this.#image, 1_073_741_824)
    execFileSync('mkfs.ext4', ['-q', '-F', this.#image])
    mkdirSync(this.folder)
    this.#mount()
  }

  /** With a device of its own each time: a host that starts at that moment holds the former mount, which gives errors only. */
  #mount(): void {
    const device = execFileSync('losetup', ['--find', '--show', this.#image], { encoding: 'utf8' }).trim()
    execFileSync('mount', [device, this.folder])
    execFileSync('losetup', ['--detach', device]) // once it is not mounted any more
  }

  /** Lets the kernel write some files of a folder early, as it does on its own at any time. */
  writeSome(pattern: string, isWritten: () => boolean): void {
    for (const path of globSync(pattern, { cwd: this.folder, withFileTypes: true })) {
      if (!path.isFile() || !isWritten()) continue
      const file = openSync(join(path.parentPath, path.name), 'r+')
      fdatasyncSync(file)
      closeSync(file)
    }
  }

  /** The contents of files as programs see them, of which the disk may have less. */
  contents(pattern: string): Map<string, Buffer> {
    const files = globSync(pattern, { cwd: this.folder, withFileTypes: true }).filter((path) => path.isFile())
    return new Map(files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name))]))
  }

  /**
   * After the power is back: writes the first half of some pages that were in memory only, as a disk does whose power is cut
   * within a page. Answers how many.
   */
  tear(before: ReadonlyMap<string, Buffer>, isTorn: () => boolean): number {
    let torn = 0
    for (const [path, wanted] of before) {
      if (!existsSync(path)) continue
      const stored = readFileSync(path)
      const file = openSync(path, 'r+')
      for (let at = 0; at + PAGE <= stored.length; at += PAGE) {
        const page = wanted.subarray(at, at + PAGE)
        if (page.length < PAGE || page.equals(stored.subarray(at, at + PAGE)) || !isTorn()) continue
        writeSync(file, page, 0, PAGE / 2, at)
        torn++
      }
      fdatasyncSync(file)
      closeSync(file)
    }
    return torn
  }

  cut(): void {
    execFileSync('perl', ['-e', shutdown, this.folder])
  }

  /** Ends the power cut. No process may use the disk any more. */
  back(): void {
    execFileSync('umount', [this.folder])
    this.#mount()
  }

  close(): void {
    execFileSync('umount', ['--lazy', this.folder])
    rmSync(join(this.folder, '..'), { recursive: true, force: true })
  }
}
