import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { absent } from '../../kit/host.ts'
import { hestiaLayout } from '../archives/hestia.ts'
import { quotedObjects } from '../archives/records.ts'
import type { MachineAccount, Source } from './account.ts'
import type { FoundBase } from './databases.ts'

const MOST_TEXT = 1_048_576
const hestiaRoots = { hestia: '/usr/local/hestia', vesta: '/usr/local/vesta' } as const
export const hestiaHere = (): keyof typeof hestiaRoots | undefined =>
  (['hestia', 'vesta'] as const).find((one) => existsSync(`${hestiaRoots[one]}/data/users`))

async function textAt(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(absent)
  return found?.isFile() && found.size <= MOST_TEXT ? readFile(path, 'utf8') : undefined
}
const namesAt = async (path: string) => ((await readdir(path).catch(absent)) ?? []).toSorted()

/** The accounts of HestiaCP by its records, laid out like its archives. */
export async function hestiaAccounts(
  panel: keyof typeof hestiaRoots,
  bases: readonly FoundBase[],
  only?: string,
): Promise<MachineAccount[]> {
  const users = `${hestiaRoots[panel]}/data/users`
  const accounts: MachineAccount[] = []
  for (const user of await namesAt(users))
    if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(user) && (only ?? user) === user)
      accounts.push(await accountOf(panel, `${users}/${user}`, user, bases))
  return accounts
}

async function accountOf(
  panel: 'hestia' | 'vesta',
  at: string,
  user: string,
  bases: readonly FoundBase[],
): Promise<MachineAccount> {
  const records = new Map<string, string>()
  const note = async (path: string, file: string) => {
    const text = await textAt(file)
    if (text !== undefined) records.set(path, text)
  }
  await note(`${panel}/user.conf`, `${at}/user.conf`)
  await note('cron/cron.conf', `${at}/cron.conf`)
  const lines = async (file: string, key: string) =>
    ((await textAt(`${at}/${file}`)) ?? '').split('\n').flatMap((line) => {
      const name = quotedObjects(line)[0]?.[key]
      return name && /^[^/\p{C}]{1,253}$/u.test(name) && name !== '..' && name !== '.' ? [{ name, line }] : []
    })
  const files = { ssl: await namesAt(`${at}/ssl`), mail: await namesAt(`${at}/mail`) }
  for (const { name, line } of await lines('web.conf', 'DOMAIN')) {
    records.set(`web/${name}/${panel}/web.conf`, line)
    for (const ending of ['crt', 'key', 'ca', 'pem'])
      if (files.ssl.includes(`${name}.${ending}`))
        await note(`web/${name}/${panel}/${name}.${ending}`, `${at}/ssl/${name}.${ending}`)
  }
  for (const { name, line } of await lines('mail.conf', 'DOMAIN')) {
    records.set(`mail/${name}/${panel}/mail.conf`, line)
    for (const file of files.mail)
      if (file === `${name}.conf` || file === `${name}.pem` || file.endsWith(`@${name}.msg`))
        await note(`mail/${name}/${panel}/${file}`, `${at}/mail/${file}`)
  }
  for (const { name, line } of await lines('dns.conf', 'DOMAIN')) {
    records.set(`dns/${name}/${panel}/dns.conf`, line)
    await note(`dns/${name}/${panel}/${name}.conf`, `${at}/dns/${name}.conf`)
  }
  const dumps = new Map<string, number>()
  for (const { name, line } of await lines('db.conf', 'DB')) {
    records.set(`db/${name}/${panel}/db.conf`, line)
    const base = bases.find((one) => one.name === name)
    if (base) dumps.set(`db/${name}/${name}.mysql.sql`, base.bytes)
  }
  const layout = hestiaLayout(panel, records, dumps, user)
  return {
    layout,
    sources: sourcesOf(
      layout.rules.map(([path]) => path),
      user,
    ),
  }
}

function sourcesOf(paths: readonly string[], user: string): Map<string, Source> {
  const found = new Map<string, Source>()
  for (const path of paths) {
    const web = /^web\/([^/]+)\/domain_data\/(.+)$/.exec(path)
    const mail = /^mail\/([^/]+)\/accounts\/(.+)$/.exec(path)
    const base = /^db\/([^/]+)\/[^/]+$/.exec(path)
    if (web) found.set(path, { folder: `/home/${user}/web/${web[1]}/${web[2]}` })
    else if (mail) found.set(path, { folder: `/home/${user}/mail/${mail[1]}/${mail[2]}` })
    else if (base?.[1]) found.set(path, { database: base[1] })
  }
  return found
}
