import type { X509Certificate } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import type { Settings } from '../../kit/app/settings.ts'
import { settingNames } from '../../kit/app/settings.ts'
import { readPair } from '../../kit/http/tls.ts'
import { openStorage } from '../../kit/storage/open.ts'
import { certificatesIn } from '../../net/ssl/certificates/read.ts'
import { places } from '../installation.ts'
import { type Finding, note, ok, wrong } from './finding.ts'

const GIB = 1024 ** 3
const FULL = 0.9
const DAY_MS = 86_400_000
const SOON_DAYS = 14

/** Names that no setting has: a typing error would stay unnoticed. */
export function settingFindings(env: NodeJS.ProcessEnv): Finding[] {
  const strange = Object.keys(env).filter((name) => name.startsWith('INNKEEPER_') && !settingNames.includes(name))
  const unknown = strange.map((name) => wrong('settings', `${name} is no setting`, `correct its name in ${places.env}`))
  return unknown.length ? unknown : [ok('settings', 'every name is known'), ...keyFileFindings()]
}

/** Others must not read the key, nor the settings with the password of the database. */
function keyFileFindings(): Finding[] {
  return [places.key, places.env].flatMap((file) => {
    const open = existsSync(file) && statSync(file).mode & 0o007
    return open ? [wrong('settings', `everybody may read ${file}`, `chmod o-rwx ${file}`)] : []
  })
}

export function diskFindings({ dataDir }: Settings): Finding[] {
  try {
    accessSync(dataDir, constants.W_OK)
  } catch {
    return [
      wrong(
        'disk',
        `${dataDir} cannot be written`,
        `install -d -o ${places.user} -g ${places.user} -m 0700 ${dataDir}`,
      ),
    ]
  }
  const { bavail, blocks, bsize } = statfsSync(dataDir)
  const free = bavail * bsize
  const text = `${(free / GIB).toFixed(1)} GiB are free for ${dataDir}`
  return free < GIB || bavail / blocks < 1 - FULL
    ? [wrong('disk', text, 'free some space: Innkeeper refuses writes on a full disk')]
    : [ok('disk', text)]
}

export async function filesFindings(settings: Settings): Promise<Finding[]> {
  try {
    await openStorage(settings).check()
    return [ok('files', settings.s3 ? `the bucket ${settings.s3.bucket} answers` : `are in ${settings.dataDir}/files`)]
  } catch (error) {
    return [
      wrong(
        'files',
        error instanceof Error ? error.message : String(error),
        settings.s3 ? 'correct INNKEEPER_S3_ENDPOINT, _BUCKET, _KEY and _SECRET' : 'make the folder writable',
      ),
    ]
  }
}

export function certificateFindings({ https, publicHost }: Settings, now: Date): Finding[] {
  if (!https) return []
  if (https === 'acme') return [ok('certificate', `of ${publicHost} by ACME: the port below says which one is served`)]
  try {
    readPair(https)
  } catch (error) {
    return [
      wrong(
        'certificate',
        error instanceof Error ? error.message : String(error),
        'name a chain and its key, readable for innkeeper',
      ),
    ]
  }
  return chainFindings(readFileSync(https.certificate, 'utf8'), publicHost, now)
}

/** What browsers would refuse in a chain. */
export function chainFindings(pem: string, name: string | undefined, now: Date): Finding[] {
  const [leaf, ...rest] = certificatesIn(pem) ?? []
  if (!leaf) return [wrong('certificate', 'there is none in the file', 'name the file fullchain.pem')]
  const days = Math.floor((leaf.validToDate.getTime() - now.getTime()) / DAY_MS)
  const findings: Finding[] = []
  if (days < 0)
    findings.push(wrong('certificate', `ended ${-days} days ago`, 'renew it: Innkeeper takes over the changed file'))
  else if (days < SOON_DAYS)
    findings.push(note('certificate', `ends in ${days} days`, 'renew it: Innkeeper takes over the changed file'))
  if (name && !leaf.checkHost(name))
    findings.push(
      wrong('certificate', `is not for ${name}`, 'order one for that name, or correct INNKEEPER_PUBLIC_HOST'),
    )
  if (!isComplete(leaf, rest))
    findings.push(
      wrong('certificate', 'lacks the certificate of its issuer', 'put the whole chain into the file: fullchain.pem'),
    )
  return findings.length ? findings : [ok('certificate', `is good for ${days} more days`)]
}

const isComplete = (leaf: X509Certificate, rest: readonly X509Certificate[]): boolean =>
  leaf.subject === leaf.issuer || rest.some((issuer) => leaf.checkIssued(issuer))
