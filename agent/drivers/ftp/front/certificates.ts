import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'

const MOST = 500
/** A folder of a certificate is named by its fingerprint, so that a renewed certificate has another folder. */
const contexts = new Map<string, SecureContext>()

/** The name that a client asks for, as a certificate of a website may have it; undefined for any other text. */
export const nameIn = (asked: string | false | null): string | undefined => {
  const name = asked ? asked.toLowerCase() : ''
  return /^[a-z0-9-][a-z0-9.-]{0,252}$/.test(name) && !isIP(name) ? name : undefined
}

/** The certificate of a website, from the folders in which web servers have it; undefined without one. */
export async function contextOf(name: string, folders: readonly string[]): Promise<SecureContext | undefined> {
  for (const folder of folders) {
    const text = await readFile(`${folder}/${name}.conf`, 'utf8').catch(() => '') // a name without a certificate
    const [keys] = /\/etc\/innkeeper\/tls\/[0-9a-f]{64}/.exec(text) ?? []
    if (keys) return contexts.get(keys) ?? keep(keys)
  }
  return undefined
}

async function keep(keys: string): Promise<SecureContext> {
  const context = createSecureContext({ ...(await pairIn(`${keys}/chain.pem`, `${keys}/key.pem`)), ...limits })
  const [oldest] = contexts.size < MOST ? [] : contexts.keys()
  if (oldest) contexts.delete(oldest)
  contexts.set(keys, context)
  return context
}

export const limits = { minVersion: 'TLSv1.2', honorCipherOrder: true } as const
export async function pairIn(chain: string, privateKey: string): Promise<{ cert: Buffer; key: Buffer }> {
  return { cert: await readFile(chain), key: await readFile(privateKey) }
}
