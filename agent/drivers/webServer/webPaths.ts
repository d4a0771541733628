import { shortName } from '../../kit/host.ts'

/** The folders of one web server, as its `WebServer` names them. */
export interface WebFolders {
  /** Our configuration: `sites`, `tls`, `https` and the shared files. */
  folder: string
  logs: string
}

type Place = Pick<WebFolders, 'folder'>
export const sitesOf = ({ folder }: Place) => `${folder}/sites`
export const siteFile = (web: Place, domain: string) => `${sitesOf(web)}/${shortName(domain)}.conf`
/** That a website answers over https, and with what; its site file takes it in where it is there. */
export const tlsFile = ({ folder }: Place, domain: string) => `${folder}/tls/${shortName(domain)}.conf`
/** That http leads to https, for a website that is open. */
export const httpsFile = ({ folder }: Place, domain: string) => `${folder}/https/${shortName(domain)}.conf`
export const acmeFile = ({ folder }: Place) => `${folder}/acme.conf`
export const generationFile = ({ folder }: Place) => `${folder}/generation.conf`
/** A file that may not be there: a pattern without a match is taken for nothing. */
export const perhaps = (file: string) => file.replace(/f$/, '[f]')

export const logFile = ({ logs }: Pick<WebFolders, 'logs'>, domain: string, kind: 'access' | 'error') =>
  `${logs}/${shortName(domain)}.${kind}.log`
