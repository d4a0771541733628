import { basename } from 'node:path'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Driver } from '../../kit/driver.ts'
import { keepCopy, must, read, run, thrown } from '../../kit/host.ts'
import type { Account } from '../accounts/systemAccounts.ts'
import { ownerOf, shown } from '../files/tree.ts'
import { adapted, knownFiles } from './knownConfigs.ts'
import { withOtherAddress } from './otherAddress.ts'

type Input = OperationInput<'site-config.adapt'>
const MOST_BYTES = 1_048_576
const DEPTH = '5'
const MOST_SHOWN = 50

/** Writes each configuration file as the account and atomically. Undo restores the kept former content. */
export const adaptConfig: Driver<'site-config.adapt'> = {
  async run({ input, actionId, say, fence }) {
    const account = await ownerOf(input)
    const changed: { file: string; application: string; was: string }[] = []
    const settled = new Set<string>()
    for (const [i, file] of (await candidates(input, account)).entries()) {
      const path = `${input.path}/${file}`
      const text = await contentOf(path, account)
      const made = text === undefined ? undefined : adapted(basename(file), text, input.databases)
      if (text === undefined || !made) continue
      const to = withOtherPlace(file, made.text, input)
      if (to === text) {
        settled.add(file) // a restored file with the present password keeps its time
        continue
      }
      fence()
      if (!(await thrown(actionId, `config${i}`))) await keepCopy(actionId, path, `config${i}`, text)
      await write(path, to, account)
      changed.push({ file, application: made.application, was: made.was })
      const same = input.databases.some((one) => one.was === made.was && one.name === made.was)
      const what = same ? `has the new password for ${made.was}` : `works with another database instead of ${made.was}`
      say(`${file} (${made.application}) ${what}${input.names ? ` and under ${input.names.to}` : ''}`)
    }
    // a file that has a new password still names its database
    const still = (file: string, what: string) =>
      (settled.has(file) || changed.some((one) => one.file === file)) &&
      input.databases.some((one) => one.was === what && one.name === what)
    const proposals = (await elsewhere(input, account)).filter(({ file, what }) => !still(file, what))
    for (const { file, line, what } of proposals.slice(0, 20)) say(`not changed: ${file}, line ${line}, names ${what}`)
    return { changed, proposals }
  },
  async undo({ input, actionId, say, fence }) {
    const account = await ownerOf(input)
    for (const i of (await candidates(input, account)).keys()) {
      const there = await thrown(actionId, `config${i}`)
      const text = there && (await read(there.path))
      if (!there || text === undefined) continue
      fence()
      await write(there.from, text, account)
      say(`${basename(there.from)} has its former content`)
    }
  },
  inspect: async () => 'no', // a changed file no longer names a database of the list
}

/** Stands for the present folder while the domain is replaced: no text of a file has it. */
const FOLDER = '\0folder\0'

/**
 * The text with another domain, and with the present folder instead of the former one, which another account has: Nextcloud and
 * Joomla name folders with their whole paths.
 */
export function withOtherPlace(
  file: string,
  text: string,
  { path, from, names }: Pick<Input, 'path' | 'from' | 'names'>,
) {
  // a longer name that begins like the folder is another one
  const joint = (part: string) => (/^[\w.-]/.test(part) ? from?.path : FOLDER)
  const marked = from ? text.split(from.path).reduce((made, part) => `${made}${joint(part)}${part}`) : text
  const named = names ? withOtherAddress(file, marked, names.from, names.to).text : marked
  return named.replaceAll(FOLDER, path)
}

/** Files with the names of known applications, down to a limited depth, in a fixed order. */
async function candidates({ path }: Pick<Input, 'path'>, as: Account): Promise<string[]> {
  const names = knownFiles.flatMap((name, i) => [...(i ? ['-o'] : []), '-name', name])
  const argv = [
    'find',
    path,
    '-xdev',
    '-maxdepth',
    DEPTH,
    '-type',
    'f',
    '(',
    ...names,
    ')',
    '-printf',
    '%P\\0',
  ] as const
  const { stdout } = await run(argv, { as })
  return stdout
    .split('\0')
    .filter((name) => name && !name.includes('\ufffd'))
    .sort()
}

/**
 * File and line number of other mentions of the former databases and accounts. Leaves out the text, which may contain a
 * password.
 */
async function elsewhere({ path, databases }: Input, as: Account) {
  if (!databases.length) return []
  const names = databases.flatMap(({ was }) => ['-e', was])
  const how = ['--recursive', '--line-number', '--only-matching', '--word-regexp', '--fixed-strings', '--null']
  const { stdout } = await run(
    ['grep', ...how, '--binary-files=without-match', '--devices=skip', '--max-count=3', ...names, path],
    { as },
  )
  return stdout
    .split('\n')
    .filter(Boolean)
    .slice(0, MOST_SHOWN)
    .map((found) => {
      const [file = '', rest = ''] = found.split('\0')
      const [line = '', what = ''] = rest.split(':')
      return { file: shown(Buffer.from(file.slice(path.length + 1)).toString('latin1')), line: Number(line), what }
    })
}

export async function contentOf(path: string, as: Account): Promise<string | undefined> {
  const flags = 'iflag=nofollow,nonblock,count_bytes,fullblock'
  const ran = await run(['dd', `if=${path}`, flags, `count=${MOST_BYTES + 1}`, 'bs=64K', 'status=none'], { as })
  const isText = !ran.stdout.includes('\0') && !ran.stdout.includes('\ufffd')
  return ran.code === 0 && isText && Buffer.byteLength(ran.stdout) <= MOST_BYTES ? ran.stdout : undefined
}

async function write(path: string, content: string, as: Account): Promise<void> {
  const aside = `${path}.innkeeper`
  await must(['rm', '--force', '--', aside], { as })
  await must(['dd', `of=${aside}`, 'conv=excl,fsync', 'status=none'], { as, input: content })
  await must(['chmod', `--reference=${path}`, '--', aside], { as })
  await must(['mv', '--no-target-directory', '--', aside, path], { as })
}
