import type { App } from '../kit/app/app.ts'
import { followFiles, openTls, readPair, type Tls } from '../kit/http/tls.ts'
import { openOwnCertificate } from '../net/ssl/own/ownCertificate.ts'

interface Certificate {
  tls: Tls
  /** Follows changes, and orders what is missing, once the listeners answer. */
  begin(): void
  stop(): void
}

/** The certificate with which a node serves https; undefined if it serves http. */
export async function openCertificate(app: App): Promise<Certificate | undefined> {
  const { https, publicHost = '' } = app.settings
  if (!https) return undefined
  if (https === 'acme') {
    const own = await openOwnCertificate(app, publicHost)
    return { tls: own.tls, begin: () => void own.look(), stop: () => own.stop() }
  }
  const tls = openTls(readPair(https))
  const files = followFiles(tls, https, (err) => app.log.error({ err }, 'the certificate stays as it was'))
  return { tls, begin: () => files.look(), stop: () => files.stop() }
}
