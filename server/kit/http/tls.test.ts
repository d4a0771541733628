import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, describe, expect, it } from 'vitest'
import { selfSigned } from '../../net/ssl/certificates/generate.ts'
import { openTestApp } from '../../test/app.ts'
import { openLive } from '../live/live.ts'
import { openHttp } from './http.ts'
import { followFiles, openRedirect, openTls, readPair } from './tls.ts'

const folder = mkdtempSync(join(tmpdir(), 'innkeeper-tls-'))
const files = { certificate: join(folder, 'chain.pem'), key: join(folder, 'key.pem') }
afterAll(() => rmSync(folder, { recursive: true }))

async function write(name: string): Promise<{ key: string; pem: string }> {
  const made = await selfSigned([name])
  writeFileSync(files.certificate, made.pem)
  writeFileSync(files.key, made.key)
  return made
}

const portOf = (server: Server): number => {
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  return address.port
}
const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(portOf(server))))

const shown = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subjectaltname))
      socket.destroy()
    }).once('error', reject)
  })

describe('https of Innkeeper itself', () => {
  it('serves the certificate of the files, takes over a changed one, and keeps it when the next does not fit', async () => {
    await write('first.example.org')
    const tls = openTls(readPair(files))
    const t = await openTestApp()
    const live = await openLive(t.app.database, t.app.sessions, { readScopes: new Map(), rowScopes: new Map() })
    const http = await openHttp(t.app, live, { tls })
    try {
      await http.listen({ port: 0, host: '127.0.0.1' })
      const port = portOf(http.server)
      expect(await shown(port)).toBe('DNS:first.example.org')
      const { headers } = await http.inject('/healthz')
      expect(headers['strict-transport-security']).toBe('max-age=31536000')

      const failures: unknown[] = []
      const follow = followFiles(tls, files, (error) => failures.push(error))
      await write('second.example.org')
      follow.look()
      expect(await shown(port)).toBe('DNS:second.example.org')
      writeFileSync(files.key, (await selfSigned(['other.example.org'])).key)
      follow.look()
      follow.look()
      expect(failures).toEqual([expect.objectContaining({ message: expect.stringContaining('is not the key of') })])
      expect(await shown(port)).toBe('DNS:second.example.org')
      follow.stop()
    } finally {
      live.close()
      await http.close()
      await t.close()
    }
  })

  it('names the setting of a file that is missing or no certificate', () => {
    expect(() => readPair({ ...files, certificate: join(folder, 'none.pem') })).toThrow(/INNKEEPER_CERTIFICATE: ENOENT/)
    writeFileSync(files.certificate, 'no certificate')
    expect(() => readPair(files)).toThrow(/no PEM file/)
  })
})

describe('the port for http', () => {
  const asked = async (to: Parameters<typeof openRedirect>[0], path: string, host = 'a.example.org:8080') => {
    const server = openRedirect(to, async (token) => `${token}.thumbprint`)
    const port = await listening(server)
    try {
      return await new Promise<{ status: number | undefined; location: string | undefined; text: string }>(
        (resolve, reject) => {
          get({ host: '127.0.0.1', port, path, headers: { host } }, (answer) => {
            let text = ''
            answer.on('data', (part) => {
              text += part
            })
            answer.on('end', () => resolve({ status: answer.statusCode, location: answer.headers.location, text }))
          }).once('error', reject)
        },
      )
    } finally {
      server.close()
    }
  }
  const own = { name: 'innkeeper.example.org', port: 443 }

  it('leads to the name of Innkeeper over https, with the path', async () => {
    expect(await asked(own, '/websites?page=2')).toMatchObject({
      status: 308,
      location: 'https://innkeeper.example.org/websites?page=2',
    })
    expect(await asked({ name: undefined, port: 8443 }, '/')).toMatchObject({ location: 'https://a.example.org:8443/' })
    expect(await asked(own, '//evil.example.org/')).toMatchObject({ location: 'https://innkeeper.example.org/' })
    expect(await asked({ name: undefined, port: 443 }, '/', 'a b')).toMatchObject({ status: 400 })
  })

  it('answers the challenges of the certificate authority', async () => {
    expect(await asked(own, '/.well-known/acme-challenge/abc')).toMatchObject({ status: 200, text: 'abc.thumbprint' })
  })
})
