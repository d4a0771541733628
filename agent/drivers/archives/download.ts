import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import type { Reach } from '@innkeeper/contract/reach'
import type { Context, Driver } from '../../kit/driver.ts'
import { ensureDirectory, must, places, putInPlace, remove, run } from '../../kit/host.ts'
import { judge, portOf, reachFor } from '../../kit/network/reach.ts'
import { progress } from '../dumps/reading.ts'
import { uploadedFile } from './kept.ts'
import { inRoomForArchive } from './room.ts'

type Download = Context<'archive.download'>
const SILENCE_MS = 60_000
const MOST_REDIRECTS = 5
/** Between two looks at the room of the disk. */
const LOOK_BYTES = 256 * 1024 * 1024

/** Fetches an archive from another machine, whose address was judged. A repeat begins again. */
export const downloadArchive: Driver<'archive.download'> = {
  async run(c) {
    const { importId, from, privateTargets } = c.input
    await ensureDirectory(places.imports, { mode: 0o700 })
    const path = uploadedFile(importId)
    const aside = `${path}.part`
    await rm(aside, { force: true })
    c.fence()
    const reach = reachFor(privateTargets)
    const url = new URL(from)
    await judge(reach, url)
    const size = await (url.protocol === 'sftp:' ? bySftp(c, url, reach, aside) : byHttps(c, url, reach, aside))
    await putInPlace(aside, path)
    c.say(`${size} bytes are on the server`)
    return { size }
  },
  async undo({ input: { importId }, say }) {
    await rm(`${uploadedFile(importId)}.part`, { force: true })
    say((await remove(uploadedFile(importId))) ? 'the archive is deleted' : 'the archive was gone already')
  },
  inspect: async () => 'no', // a repeat is harmless
}

/** Follows redirects to other addresses over HTTPS, each of which is judged. */
async function byHttps({ say, stop }: Download, first: URL, reach: Reach, aside: string): Promise<number> {
  let url = first
  for (let n = 0; n <= MOST_REDIRECTS; n++) {
    await judge(reach, url)
    const answer = await asked(url, reach, stop)
    const { statusCode: status = 0, headers } = answer
    if (status >= 300 && status < 400 && headers.location) {
      answer.destroy()
      url = new URL(headers.location, url)
      if (url.protocol !== 'https:') throw new Error(`${first.host} redirects to an address without HTTPS`)
      continue
    }
    if (status !== 200) {
      answer.destroy()
      throw new Error(`${url.host} answers ${status}`)
    }
    const length = Number(headers['content-length'] ?? 0)
    await inRoomForArchive(places.imports, length, 'the archive')
    return received(answer, aside, { tell: progress(say, length), length })
  }
  throw new Error(`${first.host} redirects more than ${MOST_REDIRECTS} times`)
}

const asked = (url: URL, reach: Reach, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const lookup = reach.lookup(portOf(url))
    const sending = request(url, { agent: false, lookup, signal, timeout: SILENCE_MS, headers: { accept: '*/*' } })
    sending.on('timeout', () => sending.destroy(new Error(`silence for ${SILENCE_MS / 1000} s`)))
    sending.once('response', resolve).once('error', reject)
    sending.end()
  })

async function received(
  answer: IncomingMessage,
  aside: string,
  { tell, length }: { tell: (bytes: number) => void; length: number },
): Promise<number> {
  let [bytes, looked] = [0, 0]
  const counting = new Transform({
    transform(part: Buffer, _, done) {
      bytes += part.length
      tell(bytes)
      if (bytes - looked < LOOK_BYTES) return done(null, part)
      looked = bytes
      inRoomForArchive(places.imports, 0, 'the rest of the archive').then(() => done(null, part), done)
    },
  })
  await pipeline(answer, counting, createWriteStream(aside, { flags: 'wx', mode: 0o600, flush: true }))
  if (length && bytes !== length) throw new Error(`it broke off after ${bytes} of ${length} bytes: try again`)
  return bytes
}

/** sftp of OpenSSH, with the password from a program of ours or with a key, to the address that was judged. */
async function bySftp({ input, say, fence }: Download, url: URL, reach: Reach, aside: string): Promise<number> {
  const port = Number(url.port) || 22
  const address = await promisify(reach.lookup(port))(url.hostname, {})
  const host = typeof address === 'string' ? address : (address[0]?.address ?? '')
  const folder = await mkdtemp('/run/innkeeper-sftp-')
  try {
    const known = join(folder, 'known')
    await writeFile(known, await hostKeysOf(url.hostname, host, port, input.hostKey, say), { mode: 0o600 })
    const login = input.login ?? ''
    const isKey = login.includes('PRIVATE KEY-----')
    await writeFile(join(folder, 'login'), isKey ? `${login.trim()}\n` : login, { mode: 0o600 })
    // the program of Debian asks another program for a password that is in no argument
    await writeFile(join(folder, 'ask'), '#!/bin/sh\nexec cat "$INNKEEPER_LOGIN"\n', { mode: 0o700 })
    const env = {
      SSH_ASKPASS: join(folder, 'ask'),
      SSH_ASKPASS_REQUIRE: 'force',
      INNKEEPER_LOGIN: join(folder, 'login'),
    }
    const options = {
      ...{ UserKnownHostsFile: known, GlobalKnownHostsFile: '/dev/null', StrictHostKeyChecking: 'yes' },
      ...{ HostKeyAlias: 'source', ConnectTimeout: '20', ServerAliveInterval: '15', ServerAliveCountMax: '4' },
      ...{ NumberOfPasswordPrompts: '1', IdentitiesOnly: 'yes', BatchMode: 'no' },
      ...(isKey
        ? { IdentityFile: join(folder, 'login'), PreferredAuthentications: 'publickey' }
        : { PreferredAuthentications: 'password,keyboard-interactive', PubkeyAuthentication: 'no' }),
    }
    const argv: [string, ...string[]] = ['sftp', '-F', '/dev/null', '-q', '-P', `${port}`]
    for (const [key, value] of Object.entries(options)) argv.push('-o', `${key}=${value}`)
    argv.push('-b', '-', `${url.username}@${host.includes(':') ? `[${host}]` : host}`)
    const path = decodeURIComponent(url.pathname)
    const listed = await ran(argv, `ls -ln "${path}"\n`, env)
    // `-rw-r--r-- 1 0 0 1234 …`
    const words = listed.split('\n').map((line) => line.split(/\s/).filter(Boolean))
    const size = Number(words.find(([mode]) => mode?.startsWith('-'))?.[4] ?? Number.NaN)
    if (!Number.isSafeInteger(size)) throw new Error(`${path} is not an ordinary file there`)
    await inRoomForArchive(places.imports, size, 'the archive')
    say(`${size} bytes to fetch`)
    fence()
    await ran(argv, `get "${path}" "${aside}"\n`, env)
    return size
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function ran(argv: [string, ...string[]], input: string, env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await run(argv, { input, env })
  if (code !== 0) throw new Error(`the other server refuses: ${(stderr || stdout).trim().slice(-500)}`)
  return stdout
}

/** Lines of `known_hosts` for the name `source`. With a fingerprint, only the key that has it. */
async function hostKeysOf(
  name: string,
  host: string,
  port: number,
  wanted: string | undefined,
  say: (text: string) => void,
): Promise<string> {
  const { stdout } = await run(['ssh-keyscan', '-T', '20', '-p', `${port}`, host])
  const keys: { line: string; print: string }[] = []
  for (const line of stdout.split('\n')) {
    const [, type = '', key = ''] = line.split(' ')
    if (!/^[a-z0-9@.-]{5,60}$/.test(type) || !/^[A-Za-z0-9+/=]{40,2000}$/.test(key)) continue
    const print =
      (await must(['ssh-keygen', '-l', '-f', '/dev/stdin'], { input: `${type} ${key}\n` })).split(' ')[1] ?? ''
    keys.push({ line: `source ${type} ${key}`, print })
  }
  if (!keys.length) throw new Error(`${name} shows no host key on port ${port}`)
  const good = wanted === undefined ? keys : keys.filter(({ print }) => print === wanted)
  const prints = keys.map(({ print }) => print).join(', ')
  if (!good.length) throw new Error(`${name} has another host key than ${wanted}: it shows ${prints}`)
  say(
    wanted === undefined
      ? `host keys of ${name}, taken as they are: ${prints}`
      : `the host key of ${name} is ${wanted}`,
  )
  return `${good.map(({ line }) => line).join('\n')}\n`
}
