import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { carryOut, carryOutAll, enrolled } from '../../../test/work.ts'

let t: TestApp
let admin: string
let server: number
let domain: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  server = await enrolled(t.app.db, 'mail-1', { type: 'mail' })
  const { body } = await call('POST', '/mailbox/mailboxes', { domain: 'post.example', serverId: server })
  domain = body.data.id
  await carryOutAll(t.app.db, server, () => ({ output: { publicKey: 'abc' } }))
})
afterAll(() => t.close())

const call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
  t.call(method, `/api${path}`, { token: admin, ...(body && { body }) })
const csv = (text: string) => call('POST', `/mailbox/mailboxes/${domain}/users/csv`, { csv: text })
const look = async (text: string) =>
  (await call('POST', `/mailbox/mailboxes/${domain}/users/csv/look`, { csv: text })).body
const addresses = async () =>
  (await call('GET', `/mailbox/mailboxes/${domain}`)).body.items.map((one: { address: string }) => one.address)
const hash = `$6$saltsalt$${'a'.repeat(86)}`

describe('Mailboxes from a CSV', () => {
  it('names what is wrong by line, and creates nothing', async () => {
    const text = [
      'address;password;name;quota',
      'kari@post.example;a good long password;Kari;500',
      'Kari;;;',
      'pär;;;',
      'x@other.example;;;',
      'lars;short;;',
      'mini;{UNKNOWN}abc;;',
      'nora;;;many',
      'olav;;;1;2',
    ].join('\r\n')
    const { items, errors } = await look(text)
    expect(items).toEqual([{ line: 2, address: 'kari@post.example', name: 'Kari', quotaMb: 500, password: 'given' }])
    expect(errors.map((one: { line: number }) => one.line)).toEqual([3, 4, 5, 6, 7, 8, 9])
    expect(errors[1].text).toContain('without accents')
    const { status, body } = await csv(text)
    expect([status, body.fields.csv]).toEqual([422, 'Line 3: kari@post.example is in line 2 already'])
    expect(await addresses()).toEqual([])
    expect((await look('name\nKari')).errors).toMatchObject([{ line: 1 }])
    expect((await look('address,colour\nkari,red')).errors[0].text).toContain('“colour”')
    // the mailbox of the next line would be lost in this password
    const unclosed = await look('address,password\nkari,"a good long password\nlars,another long password')
    expect(unclosed).toMatchObject({ items: [], errors: [{ line: 2, text: 'A quote of this line is not closed' }] })
  })

  it('creates 40 mailboxes in one act, with passwords, hashes and chosen passwords', async () => {
    const lines = Array.from({ length: 38 }, (_, n) => `user${n},,,`)
    const text = `\uFEFFaddress,password,name,quota\n${lines.join('\n')}\n"o'neil","a good ""long"" password","O'Neil, Sr",20\nhashed,{SHA512-CRYPT}${hash},,\n`
    const { status, body } = await csv(text)
    expect(status).toBe(202)
    expect(body.created).toHaveLength(40)
    expect(body.created.filter((one: { password: string | null }) => one.password !== null)).toHaveLength(38)
    const { input } = await carryOut(t.app.db, server)
    const { users } = input as { users: { userId: number; localPart: string }[] }
    expect(users).toHaveLength(40)
    const hashes = JSON.parse((await t.app.secrets.read(t.app.db, `mailbox:${domain}`))!) as Record<
      string,
      Record<string, string>
    >
    expect(Object.keys(hashes)).toHaveLength(40)
    const of = (name: string) => hashes[users.find(({ localPart }) => localPart === name)!.userId]!['0']
    expect(of('hashed')).toBe(`{CRYPT}${hash}`)
    expect(of("o'neil")).toMatch(/^\{PBKDF2\}/)
    expect((await csv('address\nuser7')).body.fields.csv).toBe('Line 2: user7@post.example is a mailbox already')
  })
})

describe('An import of mail', () => {
  const source = { host: 'imap.example.net', login: 'kari', password: 'the former password' }

  it('runs beside changes of the domain, forgets the password when it ends, and can be repeated', async () => {
    const { body } = await call('GET', `/mailbox/mailboxes/${domain}`)
    const { id } = body.items[0]
    const begin = () => call('POST', `/mailbox/users/${id}/import`, source)
    const kept = () => rows(t.app.db, sql`select 1 from secrets where name = ${`mail-import/${id}`}`)
    expect((await begin()).status).toBe(202)
    expect(await kept()).toHaveLength(1)
    expect((await begin()).status).toBe(409)
    expect((await call('DELETE', `/mailbox/users/${id}`, {})).status).toBe(409)
    expect((await call('DELETE', `/mailbox/mailboxes/${domain}`, {})).status).toBe(409)
    expect((await csv('address\nlater')).status).toBe(202)
    const sent: { name: string; input: object }[] = []
    await carryOutAll(t.app.db, server, (op) => {
      sent.push(op)
      return {}
    })
    expect(sent.find(({ name }) => name === 'mail-import.run')?.input).toMatchObject({
      ...{ userId: id, host: 'imap.example.net', port: 993, login: 'kari' },
    })
    expect(await kept()).toHaveLength(0)
    expect((await begin()).status).toBe(202)
  })

  it('says beside the field what is wrong', async () => {
    const { body } = await call('GET', `/mailbox/mailboxes/${domain}`)
    const { id } = body.items[1]
    const wrong = { ...source, host: 'not a host', fingerprint: 'abc', login: 'two\nlines' }
    const answer = await call('POST', `/mailbox/users/${id}/import`, wrong)
    expect(Object.keys(answer.body.fields).toSorted()).toEqual(['fingerprint', 'host', 'login'])
  })
})
