import { existsSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import type { PlaceChange, Placed } from '@innkeeper/contract/agent/inPlace'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Driver } from '../../../kit/driver.ts'
import { read } from '../../../kit/host.ts'
import { readSlice, sliceFile, sliceText } from '../../accounts/slice.ts'
import { homeMb } from '../../accounts/systemUserUsage.ts'
import { nginx } from '../../nginx/nginx.ts'
import { atFirst, poolFile, poolText } from '../../php/phpPoolFile.ts'
import { siteFile } from '../../webServer/webPaths.ts'
import { type Place, placeOf } from './facts.ts'
import { panelJobs, panelUnits } from './panelJobs.ts'

type As = NonNullable<OperationInput<'place.look'>['as']>
const MOST_ANSWER = 1_500_000

/** Shows what taking over a website would change. Reads only. */
export const lookAtPlace: Driver<'place.look'> = {
  async run({ input: { username, website, phpVersion, as } }) {
    const place = await placeOf(username, website, phpVersion)
    const placed: Placed = {
      facts: place.facts,
      changes: as ? await changesOf(place, as) : [],
      acts: as ? await actsOf(place, as) : [],
      // counting a large home takes long, and whoever asks for the changes has the answer already
      usedMb: !as && existsSync(`/home/${username}`) ? await homeMb(username) : 0,
    }
    if (JSON.stringify(placed).length > MOST_ANSWER)
      throw new Error('the files that would change are too long to be shown')
    return placed
  },
  undo: async () => undefined,
  inspect: async () => 'no', // reads only, so a repeat is harmless
}

async function changesOf({ blocks }: Place, { site, pool, limits }: As): Promise<PlaceChange[]> {
  const ours: [string, string | undefined][] = [
    [siteFile(nginx, site.domain), nginx.siteText(site)],
    [poolFile(pool), poolText(pool)],
    ...Object.entries(nginx.base()),
  ]
  const changes: PlaceChange[] = blocks.files.map(({ file, text, after }) => ({ file, before: text, after }))
  for (const [file, after] of ours) {
    const before = atFirst(await read(file))
    if (after !== undefined && before !== after) changes.push({ file, before: before ?? null, after })
  }
  const slice = await readSlice(site.username)
  const wanted = sliceText(site.username, limits)
  if (slice !== wanted) changes.push({ file: sliceFile(site.username), before: slice ?? null, after: wanted })
  for (const { file, text, after } of await panelJobs()) changes.push({ file, before: text, after })
  return changes
}

async function actsOf({ facts, beside }: Place, { site }: As): Promise<string[]> {
  const home = await lstat(`/home/${site.username}`)
  const mode = (home.mode & 0o7777).toString(8)
  return [
    ...(mode === '710' ? [] : [`/home/${site.username}: mode ${mode} becomes 710, group www-data`]),
    `PHP ${site.phpVersion} runs as ${site.username} in a pool of its own, reaches ${`/home/${site.username}`} alone and starts no programs; visitors who are signed in may have to sign in again`,
    'The former pool of PHP stays, unused, until you remove it',
    `The account ${site.username} keeps its files, shell, password, keys and cron jobs. Deleting its last website here later takes it away, with its home`,
    `Backups, copies and moves have ${[`${facts.root} alone`, ...beside].join(', not ')}. Deleting the website leaves its files there while the account has another website`,
    ...(facts.until
      ? [
          `Its certificate stays until ${facts.until.slice(0, 10)}. ${
            facts.renews
              ? 'Innkeeper renews it once the website is accepted; certbot or the panel cannot any more'
              : 'Nobody renews it: order one before'
          }`,
        ]
      : []),
    ...(await panelUnits()).map(
      (unit) => `${unit} is stopped, with all that the panel does for other accounts, such as certificates`,
    ),
  ]
}
