import { createHash, hash } from 'node:crypto'
import { must } from '../../kit/host.ts'
import type { Account } from '../accounts/systemAccounts.ts'

const MODULUS = 2n ** 256n

/** Sum of the names and contents of files in any order, so that no list of them is kept. */
export class FileSums {
  #sum = 0n

  name(path: string): void {
    this.content(hash('sha256', `name ${path}`))
  }

  /** The SHA-256 of a file, once for all its names. */
  content(hex: string): void {
    this.#sum = (this.#sum + BigInt(`0x${hex}`)) % MODULUS
  }

  get text(): string {
    return this.#sum.toString(16).padStart(64, '0')
  }

  /** Passes a content on. */
  async *through(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const sum = createHash('sha256')
    for await (const part of body) {
      sum.update(part)
      yield part
    }
    this.content(sum.digest('hex'))
  }
}

/** The same sum of a folder as it lies there, by programs that run as its owner. */
export async function sumOfFolder(folder: string, as: Account): Promise<string> {
  const sums = new FileSums()
  const files = ['find', folder, '-xdev', '-type', 'f'] as const
  await must([...files, '-printf', '%P\\n'], { as, onLine: (line) => sums.name(line) })
  const take = (line: string) => {
    // a name with a backslash is escaped, and its line begins with one
    const found = /^\\?([0-9a-f]{64}) [ *]/.exec(line)?.[1]
    if (found) sums.content(found)
  }
  const script = 'cd "$0" && find . -xdev -type f -links 1 -print0 | xargs --null --no-run-if-empty sha256sum --'
  await must(['sh', '-euc', script, folder], { as, onLine: take })
  // names of one file: its content counts once
  const first = new Map<string, string>()
  const several = (line: string) => {
    const [inode = '', ...path] = line.split(' ')
    if (!first.has(inode)) first.set(inode, path.join(' '))
  }
  await must([...files, '-links', '+1', '-printf', '%i %p\\n'], { as, onLine: several })
  if (first.size)
    await must(['xargs', '--null', 'sha256sum', '--'], { as, input: [...first.values()].join('\0'), onLine: take })
  return sums.text
}
