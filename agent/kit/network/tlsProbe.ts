import { connect } from 'node:tls'

export interface TlsProbe {
  /** SHA-256 of the certificate, in lower case without colons; undefined without one: `text` is the reason. */
  fingerprint: string | undefined
  text: string
}

/** The certificate that an address shows for a name (SNI). Does not check trust. Never throws. */
export function tlsProbe(address: string, port: number, name: string, timeoutMs = 5000): Promise<TlsProbe> {
  return new Promise((resolve) => {
    const end = (fingerprint: string | undefined, text: string) => {
      socket.destroy()
      resolve({ fingerprint, text })
    }
    const socket = connect({ host: address, port, servername: name, rejectUnauthorized: false })
    socket.setTimeout(timeoutMs, () => end(undefined, `no answer in ${timeoutMs / 1000} s`))
    socket.on('error', (error) => end(undefined, error.message))
    socket.on('secureConnect', () => {
      const shown = socket.getPeerX509Certificate()
      if (!shown) return end(undefined, 'no certificate')
      end(shown.fingerprint256.replaceAll(':', '').toLowerCase(), `${shown.subjectAltName ?? shown.subject}`)
    })
  })
}
