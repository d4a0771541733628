import type { Driver } from '../../../kit/driver.ts'
import { read } from '../../../kit/host.ts'
import { sealFor } from '../../../kit/sealed.ts'
import { nginx } from '../../nginx/nginx.ts'
import { fingerprintIn, keyFilesOf } from '../../tls/tlsFiles.ts'
import { tlsFile } from '../../webServer/webPaths.ts'

/** Answers the certificate of a website that was taken over, with its key, for the holder of a key. */
export const readPlaceCertificate: Driver<'place.certificate'> = {
  async run({ input: { domain, reader } }) {
    const fingerprint = fingerprintIn(await read(tlsFile(nginx, domain)))
    const files = fingerprint === undefined ? undefined : keyFilesOf(fingerprint)
    const [chain, key] = files ? [await read(files.chain), await read(files.key)] : []
    if (!chain || !key) throw new Error(`${domain} shows no certificate of which this server has the key`)
    return { sealed: sealFor(reader, JSON.stringify({ chain, key })) }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // reads only, so a repeat is harmless
}
