import { execFileSync } from 'node:child_process'
import { closeSync, fdatasyncSync, globSync, mkdirSync, openSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** EXT4_IOC_SHUTDOWN without a flush of the journal: what is in memory only is lost, and each access fails. */
const shutdown = 'open my $f, "<", shift or die $!; my $x = pack("L", 2); ioctl($f, 0x8004587D, $x) or die $!'

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

  #mount(): void {
    execFileSync('mount', ['-o', 'loop', this.#image, this.folder])
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
