import { contract } from '@innkeeper/contract/index'
import type { TestApp } from '../../app.ts'
import { bodyWith } from '../forms.ts'

/** Folders and files: public, private, shared, in the trash, and incomplete uploads. */
export async function putFiles({ call }: TestApp, token: string): Promise<void> {
  const base = '/api/internal-file-manager'
  const ask = async (method: 'POST' | 'DELETE', path: string, body: unknown = {}) => {
    const answer = await call(method, `${base}/${path}`, { token, body })
    if (answer.status >= 400) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body as { id: number }
  }
  const upload = async (fields: object) => {
    const { payload, type } = bodyWith(contract.files.upload, fields)
    const { body } = await call('POST', `${base}/upload-files`, { token, raw: payload, type })
    return body[0] as { id: number }
  }
  const open = await ask('POST', 'folders', { name: 'Papers' })
  await ask('POST', 'folders', { name: 'Drafts', parentId: open.id, private: true })
  const gone = await ask('POST', 'folders', { name: 'Old' })
  await upload({ isPrivate: false, folderId: open.id })
  const shared = await upload({ isPrivate: true })
  await ask('POST', 'access', { fileId: shared.id, accessType: 'user', grantAccessTo: 1 })
  await upload({ isPrivate: true, folderId: gone.id })
  await ask('DELETE', `folders/${gone.id}`)
  for (let n = 0; n < 3; n++) await ask('DELETE', `delete-files?ids=${(await upload({ isPrivate: false })).id}`)
  // an empty upload is complete at once, so that its request succeeds or fails as a whole
  await ask('POST', 'uploads', { name: 'empty.txt', size: 0, isPrivate: true })
  await ask('POST', 'uploads', { name: 'half.txt', size: 20, isPrivate: false, folderId: open.id })
}
