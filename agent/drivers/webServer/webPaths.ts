import { shortName } from '../../kit/host.ts'

/** The folders of a web server. */
export interface WebFolders {
  /** The folder of Innkeeper's configuration: `sites`, `tls`, `https` and the shared files. */
  folder: string
  logs: string
}

type Place = Pick<WebFolders, 'folder'>
export const sitesOf = ({ folder }: Place) => `${folder}/sites`
export const siteFile = (web: Place, domain: string) => `${sitesOf(web)}/${shortName(domain)}.conf`
/** The TLS file of a website, included by its site file if it exists. */
export const tlsFile = ({ folder }: Place, domain: string) => `${folder}/tls/${shortName(domain)}.conf`
/** The file with the redirect to https of an open website. */
export const httpsFile = ({ folder }: Place, domain: string) => `${folder}/https/${shortName(domain)}.conf`
export const acmeFile = ({ folder }: Place) => `${folder}/acme.conf`
/** The settings of mail programs; read after the websites, so that a website of the same name is served instead. */
export const mailFile = ({ folder }: Place) => `${folder}/mail.conf`
export const proxiesFile = ({ folder }: Place) => `${folder}/proxies.conf`
export const generationFile = ({ folder }: Place) => `${folder}/generation.conf`
/** A file that may be missing, as a pattern: includes without a match are ignored. */
export const perhaps = (file: string) => file.replace(/f$/, '[f]')

export const logFile = ({ logs }: Pick<WebFolders, 'logs'>, domain: string, kind: 'access' | 'error') =>
  `${logs}/${shortName(domain)}.${kind}.log`
