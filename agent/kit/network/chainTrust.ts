import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../programs/run.ts'
import { noPublicAuthority } from './tlsProbe.ts'

/** Errors of OpenSSL for an authority that is not in the file, or for a missing certificate in between. */
const unknownIssuer = ['2', '18', '19', '20', '21']

/** Why nginx would refuse a chain, the certificate of the server first, with a file of authorities; null: it accepts the chain. */
export async function chainTrust(chain: string, authorities: string): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'chain-'))
  const file = join(folder, 'chain.pem')
  try {
    await writeFile(file, chain)
    const as = ['-purpose', 'sslserver', '-verify_depth', '4', '-auth_level', '2'] // as edges and Debian's settings say
    const { code, stderr } = await run(['openssl', 'verify', ...as, '-CAfile', authorities, '-untrusted', file, file])
    if (code === 0) return null
    const [, error = '', words = stderr] = /^error (\d+) at \d+ depth lookup: (.*)$/m.exec(stderr) ?? []
    const { issuer } = new X509Certificate(chain).toLegacyObject()
    return unknownIssuer.includes(error) ? noPublicAuthority(issuer) : `the certificate is not valid (${words.trim()})`
  } finally {
    await rm(folder, { recursive: true })
  }
}
