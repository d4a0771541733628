import { connect } from 'node:tls'

/** SHA-256 fingerprint of the certificate at an address for a name, in lower case; `none` without a certificate. */
export function certificateShown(host: string, servername: string, port = 443): Promise<string> {
  return new Promise((resolve) => {
    const end = (text: string) => {
      socket.destroy()
      resolve(text)
    }
    const socket = connect({ host, port, servername, rejectUnauthorized: false })
    socket.setTimeout(20_000, () => end('none'))
    socket.on('error', () => end('none'))
    socket.on('secureConnect', () =>
      end(socket.getPeerX509Certificate()?.fingerprint256.replaceAll(':', '').toLowerCase() ?? 'none'),
    )
  })
}
