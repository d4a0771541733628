import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import S3rver from '@20minutes/s3rver'

const BUCKET = 'innkeeper'
const BYTES = 100_000

/** A bucket of a server that speaks S3, in this process. `settings` lead a node to it. */
export async function openStore(directory: string) {
  mkdirSync(directory, { recursive: true })
  const store = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, allowMismatchedSignatures: true, directory },
    configureBuckets: [{ name: BUCKET, configs: [] }],
  })
  const { port } = await store.run()
  return {
    settings: {
      INNKEEPER_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      INNKEEPER_S3_BUCKET: BUCKET,
      INNKEEPER_S3_KEY: 'S3RVER',
      INNKEEPER_S3_SECRET: 'S3RVER',
    },
    close: () => store.close(),
  }
}

export interface UploadedFile {
  path: string
  sha256: string
}

const base = (port: number) => `http://127.0.0.1:${port}/api/internal-file-manager`
const headersOf = (token: string) => ({ authorization: `Bearer ${token}` })
const sumOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Uploads a file of random bytes; undefined if the node did not acknowledge it. */
export async function upload(port: number, token: string, name: string): Promise<UploadedFile | undefined> {
  const bytes = randomBytes(BYTES)
  const form = new FormData()
  form.append('isPrivate', 'true')
  form.append('files', new File([bytes], name))
  const sent = { method: 'POST', headers: headersOf(token), body: form, signal: AbortSignal.timeout(30_000) }
  const answer = await fetch(`${base(port)}/upload-files`, sent).catch(() => undefined) // the node is away
  if (answer?.status !== 201) return undefined
  const [file] = (await answer.json()) as { path: string }[]
  return file && { path: file.path, sha256: sumOf(bytes) }
}

/** Whether a node answers the file as it was uploaded. */
export async function isWhole(port: number, token: string, { path, sha256 }: UploadedFile): Promise<boolean> {
  const answer = await fetch(`${base(port)}/private/${path}`, { headers: headersOf(token) })
  return answer.status === 200 && sumOf(new Uint8Array(await answer.arrayBuffer())) === sha256
}
