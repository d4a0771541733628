import type { Site } from './siteFile.ts'
import type { Changes, WebConfig } from './webConfig.ts'

/** What serves the websites of a machine: one of the two, as both want port 80. What they do is the same, how they are told is not. */
export interface WebServer extends WebConfig {
  name: 'nginx' | 'apache'
  title: 'nginx' | 'Apache'
  /** systemd's name for it. */
  unit: string
  /** Its program: there where its package is. */
  program: string
  /** Debian's page that claims to be the default website, a link. */
  placeholder: string
  /** Ours in it: `sites`, `tls`, `https` and what they share. */
  folder: string
  /** What it reads first of ours; where that is, the websites of the machine are its own. */
  main: string
  logs: string
  /** What every website of this machine shares. An older agent wrote less of it: who needs it brings it along. */
  base(): Changes
  /** What it answers for a name that it does not know; undefined: nothing at all. */
  refusal: number | undefined
  /** The file of one website. Its values have passed the contract's allow-lists: none has a character of a configuration's. */
  siteText(site: Site): string
  /** A certificate in this folder is shown. */
  tlsText(folder: string): string
  /** What an open website does about https besides. */
  httpsText(wish: { redirect: boolean; hsts: number }): string | undefined
  /** Any http-01 challenge of the account with this thumbprint is answered. */
  acmeText(thumbprint: string): string
  /** This is no answer of an application: nobody is behind it. */
  isGateway(status: number | undefined, text: string): boolean
}
