import { createHash, randomBytes } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import { type Guard, guard } from '../../kit/network/guard.ts'
import { reachFor, send } from '../../kit/network/reach.ts'

/** A bucket of a store that speaks S3, with a folder in it. */
export interface Store {
  endpoint: string
  bucket: string
  /** Empty, or ends with a slash. */
  prefix: string
  region: string
  keyId: string
  /** `endpoint/bucket` instead of `bucket.endpoint`. */
  pathStyle: boolean
  /** Private addresses and networks that the operator of Innkeeper allows. */
  privateTargets: readonly string[]
}
interface Access {
  s3: Store
  /** The secret of `keyId`. */
  key: string
}
export interface Stored {
  key: string
  size: number
  /** By the clock of the store. */
  ageMs: number
}

const ANSWER_MS = 60_000
/** A list of 1000 objects has less. */
const MOST_BYTES = 8_000_000
/** Encodes as AWS does: everything except unreserved characters. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

/** The environment of restic for a repository in the store: neither its secret nor its password is in an argument. */
export const s3Env = ({ s3, key }: Access, account: string): Record<string, string> => ({
  RESTIC_REPOSITORY: `s3:${s3.endpoint}/${s3.bucket}/${s3.prefix}${account}`,
  AWS_ACCESS_KEY_ID: s3.keyId,
  AWS_SECRET_ACCESS_KEY: key,
  AWS_DEFAULT_REGION: s3.region,
})
export const s3Args = ({ pathStyle }: Store) => ['-o', `s3.bucket-lookup=${pathStyle ? 'path' : 'dns'}`]

/** A way for restic to the bucket, which it would otherwise find by itself. */
export function guardOf({ endpoint, bucket, privateTargets }: Store): Promise<Guard> {
  const url = new URL(endpoint)
  const below = new URL(endpoint)
  below.hostname = `${bucket}.${url.hostname}`
  return guard(reachFor(privateTargets), [url, below])
}

/** One request with an AWS signature, version 4. */
async function asked({ s3, key }: Access, method: string, object: string, query: [string, string][], body = '') {
  const base = new URL(s3.endpoint)
  const host = s3.pathStyle ? base.host : `${s3.bucket}.${base.host}`
  const inside = object.split('/').map(encode).join('/')
  const path = s3.pathStyle ? `/${s3.bucket}${inside && `/${inside}`}` : `/${inside}`
  const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  const signer = new AwsV4Signer({
    ...{ method, url: `${base.protocol}//${host}${path}${search && `?${search}`}` },
    ...{ headers: { 'x-amz-content-sha256': createHash('sha256').update(body, 'utf8').digest('hex') } },
    ...{ service: 's3', region: s3.region, accessKeyId: s3.keyId, secretAccessKey: key },
  })
  const signed = await signer.sign()
  const {
    status,
    headers: answered,
    text,
  } = await send(reachFor(s3.privateTargets), {
    url: signed.url,
    method,
    headers: Object.fromEntries(signed.headers),
    ...(body && { body }),
    ...{ patienceMs: ANSWER_MS, mostBytes: MOST_BYTES },
  })
  if ((status >= 200 && status < 300) || (method === 'DELETE' && status === 404)) return { text, date: answered.date }
  const [code, why] = [valueIn(text, 'Code'), valueIn(text, 'Message')]
  throw new Error(`${s3.bucket} answers ${status} to ${method}${code && `: ${code}`}${why && `, ${why}`}`)
}

const plain = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
const valueIn = (text: string, tag: string) => plain(text.match(new RegExp(`<${tag}>([^<]*)</${tag}>`))?.[1] ?? '')

/** Objects below a folder of a repository. */
export async function* objectsIn(access: Access, account: string, folder = ''): AsyncGenerator<Stored> {
  const prefix = `${access.s3.prefix}${account}/${folder}`
  for (let token = ''; ; ) {
    const more: [string, string][] = token ? [['continuation-token', token]] : []
    const { text, date } = await asked(access, 'GET', '', [['list-type', '2'], ['prefix', prefix], ...more])
    const now = date ? Date.parse(date) : Date.now()
    for (const one of text.split('<Contents>').slice(1))
      yield {
        key: valueIn(one, 'Key'),
        size: Number(valueIn(one, 'Size')),
        ageMs: now - Date.parse(valueIn(one, 'LastModified')),
      }
    token = valueIn(text, 'NextContinuationToken')
    if (valueIn(text, 'IsTruncated') !== 'true' || !token) return
  }
}

export async function sizeOfStored(access: Access, account: string): Promise<number> {
  let size = 0
  for await (const one of objectsIn(access, account)) size += one.size
  return size
}

export const removeStored = (access: Access, key: string) => asked(access, 'DELETE', key, [])

/** Writes, reads, lists and removes a small object. */
export async function checkStore(access: Access): Promise<void> {
  const name = `innkeeper-probe-${randomBytes(8).toString('hex')}`
  const key = `${access.s3.prefix}${name}/probe`
  const content = randomBytes(32).toString('hex')
  await asked(access, 'PUT', key, [], content)
  try {
    if ((await asked(access, 'GET', key, [])).text !== content)
      throw new Error(`${access.s3.bucket} answers something else than was written`)
    const found = []
    for await (const one of objectsIn(access, name)) found.push(one.key)
    if (!found.includes(key)) throw new Error(`${access.s3.bucket} does not list what was written`)
  } finally {
    await removeStored(access, key)
  }
}
