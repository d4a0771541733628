import { type Certificate, connect, type TLSSocket } from 'node:tls'
import { patience } from '../patience/patience.ts'

export interface TlsProbe {
  /** SHA-256 of the certificate, in lower case without colons; undefined without one: `text` is the reason. */
  fingerprint: string | undefined
  text: string
}

/** The certificate that an address shows for a name (SNI). Does not check trust. Never throws. */
export function tlsProbe(address: string, port: number, name: string, waitsMs = patience.silenceMs): Promise<TlsProbe> {
  return new Promise((resolve) => {
    const end = (fingerprint: string | undefined, text: string) => {
      socket.destroy()
      resolve({ fingerprint, text })
    }
    const socket = connect({ host: address, port, servername: name, rejectUnauthorized: false })
    socket.setTimeout(waitsMs, () => end(undefined, `no answer in ${waitsMs / 1000} s`))
    socket.on('error', (error) => end(undefined, error.message))
    socket.on('secureConnect', () => {
      const shown = socket.getPeerX509Certificate()
      if (!shown) return end(undefined, 'no certificate')
      end(shown.fingerprint256.replaceAll(':', '').toLowerCase(), `${shown.subjectAltName ?? shown.subject}`)
    })
  })
}

/** Why the certificate that an address shows for a name cannot be trusted; undefined if it can. Never throws. */
export function tlsTrust(
  address: string,
  port: number,
  name: string,
  authorities: string,
  waitsMs = patience.silenceMs,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, servername: name, ca: authorities, rejectUnauthorized: false })
    const end = (reason: string | undefined) => {
      socket.destroy()
      resolve(reason)
    }
    socket.setTimeout(waitsMs, () => end(`no answer in ${waitsMs / 1000} s`))
    socket.on('error', (error) => end(error.message))
    socket.on('secureConnect', () => end(socket.authorized ? undefined : distrust(socket, name)))
  })
}

function distrust(socket: TLSSocket, name: string): string {
  const { issuer, subjectaltname = '', valid_to: until } = socket.getPeerCertificate()
  const code = String(socket.authorizationError) // an error or its code, whatever its type says
  const what = certificateOf(issuer)
  if (code.includes('CERT_HAS_EXPIRED')) return `${what} expired on ${new Date(until).toISOString().slice(0, 10)}`
  if (code.includes('ALTNAME')) return `${what} is for ${subjectaltname.replaceAll('DNS:', '')}, not for ${name}`
  if (code.includes('SELF_SIGNED') || code.includes('ISSUER') || code.includes('VERIFY'))
    return noPublicAuthority(issuer)
  return `${what} is not valid (${code})`
}
const certificateOf = (issuer: Partial<Certificate> | undefined) =>
  `the certificate of ${issuer?.CN ?? issuer?.O ?? 'an authority without a name'}`
export const noPublicAuthority = (issuer: Partial<Certificate> | undefined) =>
  `${certificateOf(issuer)} comes from no public authority, or its chain is incomplete`
