import { chmod, chown, stat } from 'node:fs/promises'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import * as z from 'zod'
import type { Context, Driver } from '../../../kit/driver.ts'
import { notes, read, shortName } from '../../../kit/host.ts'
import { nginx } from '../../nginx/nginx.ts'
import { oldWorkersEnd } from '../../nginx/nginxConfig.ts'
import { ensureTlsFolders, tlsNow, tlsTexts, withKeys } from '../../tls/tlsFiles.ts'
import { serve, throwLogs } from '../../webServer/site.ts'
import { makeLogs } from '../../webServer/siteLogs.ts'
import type { Changes } from '../../webServer/webConfig.ts'
import { siteFile } from '../../webServer/webPaths.ts'
import { type Answer, answersOf, difference } from './answers.ts'
import { type Place, placeOf } from './facts.ts'
import { TAKEN } from './panelJobs.ts'
import { withoutParts, withParts } from './siteBlocks.ts'

type Taking = Context<'place.take'>
type Input = OperationInput<'place.take'>

/** What the undo needs: the former servers of each file, and what visitors got. */
const Kept = z.object({
  files: z.array(z.object({ file: z.string(), parts: z.array(z.string()), mode: z.int(), uid: z.int(), gid: z.int() })),
  tls: z.record(z.string(), z.string().nullable()),
  ways: z.object({ addresses: z.array(z.string()), ports: z.array(z.int()) }),
  answers: z.array(
    z.object({
      ...{ from: z.string(), status: z.int(), location: z.string(), type: z.string(), title: z.string() },
      bytes: z.int(),
      // absent in notes of older agents
      certificate: z.string().default(''),
    }),
  ),
})
type Kept = z.output<typeof Kept>

export const takePlace: Driver<'place.take'> = {
  async run(c) {
    const { domain } = c.input
    const kept = (await keptOf(c)) ?? (await keep(c))
    const { website: _, seen: __, ...site } = c.input
    await makeLogs(nginx, domain)
    // the file may have other websites, which others take at the same time
    const changes = async () => {
      const texts: Changes = {}
      for (const [file, text] of Object.entries(kept.tls)) texts[file] = text ?? undefined
      for (const { file, parts } of kept.files) texts[file] = withoutParts(domain, (await read(file)) ?? '', parts)
      return texts
    }
    const served = await serve(nginx, c, site, changes, () => compared(c, kept))
    await sameOwners(kept)
    c.say(`${domain} is served by Innkeeper; its files stay in ${site.root}`)
    return { ...served, redirect: leadsToHttps(kept.answers) }
  },
  async undo(c) {
    const { domain } = c.input
    const kept = await keptOf(c)
    if (!kept) return c.say(`${domain} was not taken over by this action: nothing to give back`)
    const changes = async () => {
      const texts: Changes = { [siteFile(nginx, domain)]: undefined }
      for (const file of Object.keys(kept.tls)) texts[file] = undefined
      for (const { file, parts } of kept.files) {
        const text = (await read(file)) ?? ''
        texts[file] = parts.every((part) => text.includes(part)) ? text : withParts(domain, file, text, parts)
      }
      return texts
    }
    await nginx.apply(c, changes, { check: () => compared(c, kept) })
    await sameOwners(kept)
    // the pool of the account ends next, and requests that the former processes have begun still need it
    await oldWorkersEnd()
    await throwLogs(nginx, c.actionId, domain)
    await notes.drop(TAKEN, shortName(domain))
    c.say(`${domain} is served by its former configuration`)
  },
  async inspect({ input, task, actionId }) {
    const note = await notes.find(TAKEN, shortName(input.domain))
    if (task === 'undo') return note?.by === actionId ? 'no' : 'yes'
    return 'no' // a repeat changes nothing, and answers whether http leads to https
  },
}

async function keptOf({ input: { domain }, actionId }: Taking): Promise<Kept | undefined> {
  const note = await notes.find(TAKEN, shortName(domain))
  return note?.by === actionId ? Kept.parse(JSON.parse(note.about.kept ?? '{}')) : undefined
}

/** Writes down what is here before anything changes, so that a repeat and the undo know it. */
async function keep(c: Taking): Promise<Kept> {
  const { domain, website, username, phpVersion, root, seen } = c.input
  const other = await notes.find(TAKEN, shortName(domain))
  if (other) throw new Error(`${domain} was taken over before`)
  const place = await placeOf(username, website, phpVersion)
  const [obstacle] = place.facts.obstacles
  if (obstacle) throw new Error(`${domain} stays as it is: ${obstacle}`)
  if (place.facts.seen !== seen || place.facts.root !== root)
    throw new Error(`the configuration of ${domain} has changed since it was shown: look at the plan again`)
  const answers = await ask(c.input, place.ways)
  if (!answers.some(({ status }) => status))
    throw new Error(
      `${domain} answers at none of ${place.ways.addresses.join(', ')}: nothing could be compared afterwards`,
    )
  const { certificate } = place
  const kept: Kept = {
    files: await Promise.all(
      place.blocks.files.map(async ({ file, parts }) => {
        const { mode, uid, gid } = await stat(file)
        return { file, parts, mode: mode & 0o7777, uid, gid }
      }),
    ),
    tls: await tlsOf(c, place, answers),
    ...{ ways: place.ways, answers },
  }
  c.fence()
  const note = () => notes.keep(TAKEN, shortName(domain), c.actionId, { kept: JSON.stringify(kept) })
  await (certificate ? withKeys({ chain: certificate.chain, privateKey: certificate.key }, note) : note())
  return kept
}

/** The files that show the present certificate, and lead to https if the website did. */
async function tlsOf({ input: { domain } }: Taking, { certificate }: Place, answers: Answer[]): Promise<Kept['tls']> {
  if (!certificate) return {}
  await ensureTlsFolders(nginx)
  const texts = tlsTexts(nginx, { domain, chain: certificate.chain, redirect: leadsToHttps(answers), hsts: 0 })
  const now = await tlsNow(nginx, domain)
  return Object.fromEntries(Object.keys(now).map((file) => [file, texts[file] ?? null]))
}

const leadsToHttps = (answers: readonly Answer[]) =>
  answers.some(({ from, location }) => from.startsWith('http:') && location.startsWith('https:'))

const ask = ({ domain, aliases, redirects = [] }: Input, ways: Kept['ways']) =>
  answersOf([domain, ...aliases, ...redirects], ways)

/** Throws if a visitor would get something else than before. The web server then goes back by itself. */
async function compared({ input, say }: Taking, { ways, answers }: Kept): Promise<void> {
  const found = difference(answers, await ask(input, ways))
  if (found) throw new Error(`${input.domain} would change for its visitors: ${found}`)
  say(`${answers.filter(({ status }) => status).length} answers of ${input.domain} are as before`)
}

/** The web server's files are written as root's, readable for all: others may have had theirs otherwise. */
async function sameOwners({ files }: Kept): Promise<void> {
  for (const { file, mode, uid, gid } of files) {
    await chown(file, uid, gid)
    await chmod(file, mode)
  }
}
