import type { StoredFile } from '@innkeeper/contract/desk/files'
import { afterAll, beforeAll } from 'vitest'
import { type Answer, openTestApp, type TestApp } from '../../../test/app.ts'

const scopes = ['upload', 'delete', 'grant-access', 'browse'].map((act) => `file-manager:file:${act}`)
export const all = [...scopes, 'file-manager:folder:create', 'file-manager:folder:delete']
export interface Person {
  id: number
  token: string
}
export let t: TestApp
export let base: string
export let admin: Person
export let kari: Person
export let lars: Person
beforeAll(async () => {
  t = await openTestApp()
  base = await t.http.listen({ port: 0, host: '127.0.0.1' })
  admin = await t.somebody('admin', 'chief')
  kari = await t.somebody(all, 'kari')
  lars = await t.somebody(all, 'lars')
})
afterAll(() => t.close())

export const at = '/api/internal-file-manager'
export const ask = (
  who: Person | undefined,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
) => t.call(method, `${at}/${path}`, { ...(who && { token: who.token }), ...(body !== undefined && { body }) })
export async function upload(
  who: Person,
  fields: Record<string, string>,
  ...contents: [name: string, text: string | Buffer][]
): Promise<StoredFile[]> {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.append(key, value)
  for (const [name, text] of contents)
    form.append('files', new File([Uint8Array.from(Buffer.from(text as string))], name))
  const answer = await fetch(`${base}${at}/upload-files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.token}` },
    body: form,
  })
  const body = await answer.json()
  if (answer.status !== 201) throw new Error(JSON.stringify(body))
  return body as StoredFile[]
}
export const one = async (
  who: Person,
  fields: Record<string, string>,
  name = 'note.txt',
  text: string | Buffer = 'hello',
) => (await upload(who, fields, [name, text]))[0]!
export const folder = async (who: Person, name: string, more = {}) =>
  (await ask(who, 'POST', 'folders', { name, ...more })).body as { id: number; version: number }
export const reads = async (who: Person | undefined, { path }: StoredFile) =>
  (await ask(who, 'GET', `${who ? 'private' : 'public'}/${path}`)).status
export const named = ({ body }: Answer) => (body.items as StoredFile[]).map(({ name }) => name)
