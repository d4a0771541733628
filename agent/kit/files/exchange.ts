import { renameSync } from 'node:fs'
import { run } from '../programs/run.ts'

/** Number of renameat2(2) per architecture. */
const RENAMEAT2: Partial<Record<NodeJS.Architecture, number>> = { x64: 316, arm64: 276 }
/** Exit codes of the helper for a kernel or a file system that cannot exchange: EINVAL and ENOSYS. */
const cannot = { EINVAL: 22, ENOSYS: 38 } as const
/** -100 is AT_FDCWD, 2 is RENAME_EXCHANGE. */
const helper = 'exit 0 if syscall($ARGV[0] + 0, -100, $ARGV[1], -100, $ARGV[2], 2) == 0; print STDERR $!; exit($! + 0);'

/**
 * Exchanges two names of one file system in a single step: at no moment is either of them missing. Node has no call for
 * renameat2(2), and `mv --exchange` is newer than Debian 12. perl-base is essential on Debian and Ubuntu. A file system
 * without the operation gets two renames, and the answer is false.
 */
export async function exchange(a: string, b: string): Promise<boolean> {
  const number = RENAMEAT2[process.arch]
  if (number !== undefined) {
    const { code, stderr } = await run(['perl', '-e', helper, `${number}`, a, b])
    if (code === 0) return true
    if (code !== cannot.EINVAL && code !== cannot.ENOSYS) throw new Error(`${a} and ${b} keep their places: ${stderr}`)
  }
  const between = `${b}.exchanging`
  renameSync(a, between)
  renameSync(b, a)
  renameSync(between, b)
  return false
}
