import { createHash } from 'node:crypto'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Driver } from '../../kit/driver.ts'
import { keepCopy, must, read, run, thrown } from '../../kit/host.ts'
import type { Account } from '../accounts/systemAccounts.ts'
import { isWordPress, withOtherAddress } from '../applications/otherAddress.ts'
import { ownerOf } from './tree.ts'

export type Place = Pick<OperationInput<'website-files.search'>, 'username' | 'path'>
export const MOST_BYTES = 1_048_576
const AT_ONCE = 500

/** Replaces each file atomically. Skips and reports a file that has changed since the search. */
export const replaceInFiles: Driver<'website-files.replace'> = {
  async run(c) {
    const { input, actionId, say } = c
    const account = await ownerOf(input)
    const left: string[] = []
    let changed = 0
    for (const [i, { within: file, sha256 }] of input.files.entries()) {
      const path = `${input.path}/${file}`
      const text = await contentOf(path, account)
      if (text === undefined || sumOf(text) !== sha256) {
        const done = text !== undefined && (await isOurs(actionId, i, input, file, text))
        if (done) changed++
        else left.push(file)
        continue
      }
      c.fence()
      await keepCopy(actionId, path, labelOf(i), text)
      await write(path, withOtherAddress(file, text, input.from, input.to).text, account)
      changed++
    }
    say(`${changed} of ${input.files.length} files now contain ${input.to}`)
    for (const file of left) say(`${file} has changed since the search: it stays as it is`)
    return { changed, left }
  },
  async undo(c) {
    const { input, actionId, say } = c
    const account = await ownerOf(input)
    for (const [i, { within: file }] of input.files.entries()) {
      const path = `${input.path}/${file}`
      const text = await contentOf(path, account)
      const before = await keptOf(actionId, i)
      if (before === undefined || text === before) continue
      if (text === undefined || !(await isOurs(actionId, i, input, file, text))) {
        say(`${file} has changed since the replacement: it stays as it is`)
        continue
      }
      c.fence()
      await write(path, before, account)
    }
    say('the files have their former content')
  },
  inspect: async () => 'no', // compares each file before writing, so a repeat is harmless
}

/**
 * The files that contain the name, and every wp-config.php. grep finds them: reading each file here would take minutes.
 */
export async function speaking(
  files: string[],
  { path, from }: Place & { from: string },
  as: Account,
): Promise<string[]> {
  const found: string[] = []
  for (let i = 0; i < files.length; i += AT_ONCE) {
    const some = files.slice(i, i + AT_ONCE).map((file) => `${path}/${file}`)
    const how = ['--files-with-matches', '--null', '--binary-files=without-match', '--devices=skip']
    const { stdout } = await run(['grep', ...how, '--ignore-case', '--fixed-strings', '-e', from, '--', ...some], {
      as,
    })
    found.push(
      ...stdout
        .split('\0')
        .filter(Boolean)
        .map((file) => file.slice(path.length + 1)),
    )
  }
  return [...new Set([...found, ...files.filter(isWordPress)])].sort()
}

/** The text of a file; undefined if it is missing, too large, not a regular file or not text. */
export async function contentOf(path: string, account: Account): Promise<string | undefined> {
  const flags = `iflag=nofollow,nonblock,count_bytes,fullblock`
  const ran = await run(['dd', `if=${path}`, flags, `count=${MOST_BYTES + 1}`, 'bs=64K', 'status=none'], {
    as: account,
  })
  const text = ran.stdout
  const isText = !text.includes('\0') && !text.includes('\ufffd') && Buffer.byteLength(text) <= MOST_BYTES
  return ran.code === 0 && isText ? text : undefined
}

async function write(path: string, content: string, account: Account): Promise<void> {
  const aside = `${path}.innkeeper`
  await must(['rm', '--force', '--', aside], { as: account })
  await must(['dd', `of=${aside}`, 'conv=excl,fsync', 'status=none'], { as: account, input: content })
  await must(['chmod', `--reference=${path}`, '--', aside], { as: account })
  await must(['mv', '--no-target-directory', '--', aside, path], { as: account })
}

export const sumOf = (text: string) => createHash('sha256').update(text).digest('hex')
const labelOf = (i: number) => `text${i}`

async function keptOf(actionId: number, i: number): Promise<string | undefined> {
  const there = await thrown(actionId, labelOf(i))
  return there && read(there.path)
}

/** Whether a file still has the content that this action wrote. */
async function isOurs(
  actionId: number,
  i: number,
  { from, to }: { from: string; to: string },
  file: string,
  text: string,
) {
  const before = await keptOf(actionId, i)
  return before !== undefined && withOtherAddress(file, before, from, to).text === text
}
