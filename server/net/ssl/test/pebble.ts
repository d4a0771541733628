import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { letPass } from '../../../../bin/pass.ts'
import { ask } from '../acme/wire.ts'
import { selfSigned } from '../certificates/generate.ts'

/** Whether Debian's pebble, a test authority, is installed. */
export const hasPebble = existsSync('/usr/bin/pebble')

export interface Pebble {
  directory: string
  /** The CA of pebble's own https. */
  ca: string
  /** The address of a DNS server that resolves every name to `address`; `set` changes one. */
  resolver: string
  set(path: string, body: unknown): Promise<void>
  /** The root certificate of issued certificates, in PEM. */
  root(): Promise<string>
  /** Pebble's status of a certificate, by serial in hex: `{ Status, Reason }`. */
  statusOf(serial: string): Promise<unknown>
  stop(): Promise<void>
}

/**
 * `httpPort`: the port for http-01 validation; `dnsServer`: the resolver, by default 127.0.0.1 for every name. Each
 * start creates a new authority.
 */
export async function startPebble(httpPort: number, dnsServer?: string): Promise<Pebble> {
  const folder = mkdtempSync(join(tmpdir(), 'innkeeper-pebble-'))
  const { key, pem: ca } = await selfSigned(['localhost'])
  writeFileSync(join(folder, 'key.pem'), key)
  writeFileSync(join(folder, 'cert.pem'), ca)
  const [port, management, dns, dnsManagement] = await Promise.all([freePort(), freePort(), freePort(), freePort()])
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: join(folder, 'cert.pem'),
    privateKey: join(folder, 'key.pem'),
    ...{ httpPort, tlsPort: httpPort, ocspResponderURL: '', externalAccountBindingRequired: false },
  }
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ pebble }))
  const resolver = dnsServer ?? `127.0.0.1:${dns}`
  const names = [
    '-defaultIPv4',
    '127.0.0.1',
    '-defaultIPv6',
    '',
    '-dns01',
    `:${dns}`,
    '-management',
    `:${dnsManagement}`,
  ]
  const off = ['-http01', '', '-https01', '', '-tlsalpn01', '']
  const pretend = () => spawn('/usr/bin/pebble-challtestsrv', [...names, ...off], { stdio: 'ignore' })
  const authority = spawn('/usr/bin/pebble', ['-config', join(folder, 'config.json'), '-dnsserver', resolver], {
    stdio: 'ignore',
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '20', PEBBLE_AUTHZREUSE: '0' },
  })
  const started = dnsServer ? [authority] : [authority, pretend()]
  const directory = `https://localhost:${port}/dir`
  try {
    await answering(() => ask(directory, { method: 'GET', ca }), started)
    if (!dnsServer) await answering(() => fetch(`http://127.0.0.1:${dnsManagement}/`), started)
  } catch (error) {
    await Promise.all(started.map(end))
    throw error
  }
  return {
    directory,
    ca,
    resolver,
    async set(path, body) {
      const answer = await fetch(`http://127.0.0.1:${dnsManagement}/${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    },
    root: async () => (await ask(`https://localhost:${management}/roots/0`, { method: 'GET', ca })).text,
    async statusOf(serial) {
      const place = `https://localhost:${management}/cert-status-by-serial/${serial.toLowerCase()}`
      return JSON.parse((await ask(place, { method: 'GET', ca })).text)
    },
    async stop() {
      await Promise.all(started.map(end))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Resolves once `look` succeeds; throws when the process exits. */
async function answering(look: () => Promise<unknown>, started: ChildProcess[]): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await look()
      return
    } catch (error) {
      const ended = started.find(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null)
      if (ended) throw new Error(`${ended.spawnfile} ended with ${ended.exitCode}`)
      if (tries >= 600) throw error
      await letPass(50, 'between two looks')
    }
  }
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill()
  })
}

/** A free port. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}
