import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { leavesOf, type Person, takes } from '../test/leaves.ts'

let t: TestApp
let l: ReturnType<typeof leavesOf>
let kari: Person
beforeAll(async () => {
  t = await openTestApp()
  l = leavesOf(t)
  kari = await t.somebody(takes, 'kari')
})
afterAll(() => t.close())

const pdf = '%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'
/** Sends a form as browsers do: a field `data` with JSON, then the file. */
async function send(data: object, name: string, content: string) {
  const form = new FormData()
  form.append('data', JSON.stringify(data))
  form.append('document', new Blob([content], { type: 'application/pdf' }), name)
  const request = new Request('http://x', { method: 'POST', body: form })
  const answer = await t.http.inject({
    method: 'POST',
    url: '/api/leave-calendar/requests',
    headers: { authorization: `Bearer ${kari.token}`, 'content-type': request.headers.get('content-type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  return { status: answer.statusCode, body: answer.json() }
}
const sick = { typeId: 3, startDate: '2027-02-01', endDate: '2027-02-05', startPart: 'full', reason: 'Flu' }

describe('a document', () => {
  it('is attached to the request, for its person and the approvers', async () => {
    const { status, body } = await send(sick, 'Doctor’s note.pdf', pdf)
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        days: 5,
        reason: 'Flu',
        document: { name: 'Doctor’s note.pdf', type: 'application/pdf', size: pdf.length },
      },
    })
    const read = async (who: Person) => {
      const { statusCode, body: text } = await t.http.inject({
        method: 'GET',
        url: `/api/leave-calendar/requests/${body.id}/document`,
        headers: { authorization: `Bearer ${who.token}` },
      })
      return [statusCode, text === pdf]
    }
    expect(await read(kari)).toEqual([200, true])
    const approver = await t.somebody(['calendar:leave:review'])
    expect(await read(approver)).toEqual([200, true])
    const departmentId = await l.department('Ill', kari)
    const admin = await t.somebody('admin')
    await l.ask(admin, 'POST', 'approvers', { departmentId, approvers: [{ userId: admin.id }] })
    expect(await read(approver), 'another approver decides about her now').toEqual([404, false])
    expect(await read(admin)).toEqual([200, true])
    expect(await read(await t.somebody(['calendar:leave:read']))).toEqual([404, false])
  })
  it.each([
    ['a text that calls itself PDF', 'note.pdf', 'I was ill'],
    ['a page', 'note.pdf', '<html><script>alert(1)</script>'],
    ['a program', 'note.pdf', 'MZ\x90\0'],
    ['a picture that could run', 'note.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ])('is refused by its content: %s', async (_, name, content) => {
    expect(await send({ ...sick, startDate: '2027-03-01', endDate: '2027-03-05' }, name, content)).toMatchObject({
      status: 422,
      body: { code: 'wrong-type', fields: { document: `The content of ${name} has to be PDF, PNG, JPEG or WEBP` } },
    })
    expect((await l.ask(kari, 'GET', `requests/users/${kari.id}?status=pending`)).body.total).toBe(1)
  })
  it('is required from the number of days that the type names', async () => {
    expect((await l.take(kari, '2027-04-05', '2027-04-07', { typeId: 3 })).status).toBe(201)
    expect((await l.take(kari, '2027-05-03', '2027-05-06', { typeId: 3 })).body.fields.document).toMatch(
      /needs a document$/,
    )
  })
})
